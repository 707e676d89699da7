"""Programs that turn one picture into another, on their standard output (Netpbm).

Source: the manuals of Netpbm 11.1. What writes another file beside that, or starts a program, is left out, and so are
such options: `pngtopam -text`, `ilbmtoppm -maskfile`.
"""

from __future__ import annotations

from asimi.core.programs.program import Program

_COMMON = "-plain -quiet -version"
"""Options of all of them (Netpbm, Common Options)."""

_FILTERS = """
bmptopnm -verbose
fitstopnm -image= -max= -min= -omaxval= -printmax -scanmax
ilbmtoppm -adjustcolors -cmaponly -ignore -isdeep -isehb -isham -isnotdeep -isnotehb -isnotham -transparent=
  -verbose
palmtopnm -rendition= -showhist -transparent -verbose
pambackground -verbose
pambrighten -saturation= -value=
pamchannel -infile=read -tupletype=
pamcrater -height= -number= -randomseed= -verbose -width=
pamcut -bottom= -cropbottom= -cropleft= -cropright= -croptop= -height= -left= -pad -right= -top= -verbose -width=
pamdeinterlace -takeeven -takeodd
pamditherbw -atkinson -c3 -c4 -c8 -clump= -cluster3 -cluster4 -cluster8 -d8 -dither8 -floyd -fs -hilbert
  -randomseed= -threshold -value=
pamfile -allimages -comments -count -machine -size
pamfix -changemaxval -clip -truncate -verbose
pamflip -ccw -cw -leftright -lr -memsize= -null -pagesize= -r180 -r270 -r90 -rotate180 -rotate270 -rotate90 -tb
  -topbottom -transpose -xform= -xy
pamscale -filter= -height= -linear -nomix -pixels= -reduce= -reportonly -verbose -width= -window= -xscale= -xsize=
  -xyfill -xyfit -xysize -yscale= -ysize=
pamstack -tupletype=
pamtogif -alphacolor= -aspect= -comment= -interlace -mapfile=read -noclear -nolzw -sort -transparent= -verbose
pamtotga -cmap -cmap16 -mono -name= -norle -rgb -verhose
pbmreduce -floyd -fs -randomseed= -threshold -value=
pbmtoepsi -bbonly -dpi=
pbmtoescp2 -compress= -formfeed -raw -resolution= -stripeheight=
pbmtomacp -bottom= -left= -right= -top=
pbmtoxbm -x10 -x11
pcxtoppm -stdpalette -verbose
pgmmake -maxval=
pgmtopbm -c3 -c4 -c8 -clump= -cluster3 -cluster4 -cluster8 -d8 -dither8 -floyd -fs -hilbert -randomseed= -threshold
  -value=
pgmtoppm -black= -map=read -white=
pngtopam -alpha -alphapam -background= -byrow -gamma= -mix -time -verbose
pnmalias -balias -bgcolor= -bonly -falias -fgcolor= -fonly -weight=
pnmcolormap -center -meancolor -meanpixel -sort -splitcolorct -splitpixelct -splitspread -spreadbrightness
  -spreadluminosity -square
pnmconvol -bias= -matrix= -matrixfile=read -normalize
pnmcrop -bg-color= -bg-corner= -black -blank-image= -borderfile=read -bottom -closeness= -left -margin= -reportfull
  -reportsize -right -sides -top -verbose -white
pnmhistmap -black -blue -dots -green -height= -lval= -max= -red -rval= -verbose -white -width=
pnmnorm -bpercent= -bsingle -bvalue= -colorvalue -keephues -luminosity -maxexpand= -middle= -midvalue= -saturation
  -wpercent= -wsingle -wvalue=
pnmpad -black -bottom= -halign= -height= -left= -mheight= -mwidth= -reportonly -right= -top= -valign= -verbose
  -white -width=
pnmpaste -and -nand -nor -nxor -or -replace -xor
pnmrotate -background= -noantialias
pnmsmooth -height= -size -width=
pnmtopalm -colormap -density= -depth= -maxdepth= -offset= -packbits_compression -rle_compression
  -scanline_compression -transparent= -verbose -withdummy
pnmtopng -alpha=read -avg -background= -comp_buffer_size= -comp_mem_level= -comp_method= -comp_strategy=
  -comp_window_bits= -compression= -downscale -force -gamma= -hist -interlace -libversion -modtime= -nofilter -paeth
  -palette=read -rgb= -size= -srgbintent= -sub -text= -transparent= -up -verbose -ztxt=
pnmtotiffcmyk -default -gamma= -gammap= -highdotrange= -knormal -konly -kremove -lowdotrange= -lsb2msb -lzw -msb2lsb
  -negative -none -packbits -predictor= -rowsperstrip= -theta=
pnmtoxwd -directcolor -pseudodepth=
ppmcie -blue= -cie -ebu -full -green= -hdtv -height= -noaxes -noblack -nolabel -nowpoint -ntsc -rec709 -red= -size=
  -smpte -upvp -white= -width= -xsize= -xy -ysize=
ppmcolormask -color=
ppmdither -blue= -dim= -green= -red=
ppmforge -clouds -dimension= -glaciers= -height= -hour= -ice= -inclination= -mesh= -night -power= -saturation=
  -seed= -stars= -tilt= -width= -xsize= -ysize=
ppmglobe -background= -closeok
ppmhist -colorname -float -forensic -hexcolor -map -noheader -nomap -sort=
ppmlabel -angle= -background= -color= -file=read -size= -text= -x= -y=
ppmmake -maxval=
ppmpat -anticamo -argyle1 -argyle2 -camo -color= -g2 -g3 -gingham2 -gingham3 -madras -mesh -poles -randomseed=
  -squig -tartan
ppmtoacad -aspect= -background= -dxb -poly -white
ppmtobmp -bpp= -mapfile=read -os2 -windows
ppmtomitsu -copy= -dpi300 -enlarge= -media= -sharpness= -tiny
ppmtopcx -packed -palette=read -planes= -stdpalette -xpos= -ypos=
ppmtosixel -margin -raw
ppmtospu -d0 -d2 -d4
ppmtoxpm -alphamask=read -hexonly -name= -rgb=
ppmwheel -huesaturation -huevalue -maxval=
rawtopgm -bpp= -headerskip= -littleendian -maxval= -rowskip= -tb -topbottom
rawtoppm -bgr -brg -gbr -grb -headerskip= -interpixel -interrow -rbg -rgb -rowskip=
sgitopnm -channel= -verbose
"""
"""A program and its options on each line; a line that begins with a blank goes on with them."""

PROGRAMS = (
    Program(
        "imgtoppm",
        aliases=(
            "pampick pamtopam pbmlife pbmtoptx pgmtost4 pi1toppm ppmtoapplevol ppmtoeyuv ppmtoleaf ppmtopgm "
            "ppmtopi1 qrttoppm rgb3toppm rlatopam sirtopnm"
        ),
        options=_COMMON,
        operands="read*",
        syntax="words",
        effects="read",
        can="reads",
    ),
    *(
        Program(
            line.split()[0],
            options=f"{_COMMON} {line.partition(' ')[2]}",
            operands="read*",
            syntax="words",
            effects="read",
            can="reads",
        )
        for line in _FILTERS.replace("\n ", "").strip().splitlines()
    ),
)
