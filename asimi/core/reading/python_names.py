"""What Python may use and still do no more than compute, print and read: modules, builtins, methods, syntax.

Sources: The Python Standard Library 3.8 to 3.14. A name is here only if nothing that it is given makes it write, start,
import or loosen something. Whoever adds one looks at all values that a text can come by: a method counts by its name,
because the type of what it is called on is not known.
"""

from __future__ import annotations

import sys

MODULES: dict[str, frozenset[str]] = {
    name: frozenset(names.split())
    for name, names in {
        "__future__": "annotations division print_function absolute_import unicode_literals generator_stop",
        "ast": "AST dump get_docstring iter_child_nodes iter_fields literal_eval unparse walk Add And "
        "AnnAssign Assert Assign AsyncFor AsyncFunctionDef AsyncWith Attribute AugAssign Await BinOp BoolOp Break "
        "Call ClassDef Compare Constant Continue Delete Dict DictComp ExceptHandler Expr For FormattedValue "
        "FunctionDef GeneratorExp Global If IfExp Import ImportFrom JoinedStr Lambda List ListComp Load Match Module "
        "Name Nonlocal Pass Raise Return Set SetComp Slice Starred Store Str Subscript Try Tuple UnaryOp While With "
        "Yield YieldFrom alias arg arguments expr keyword stmt",
        "base64": "a85decode a85encode b16decode b16encode b32decode b32encode b64decode b64encode b85decode "
        "b85encode decodebytes encodebytes standard_b64decode standard_b64encode urlsafe_b64decode urlsafe_b64encode",
        "bz2": "compress decompress",
        "binascii": "a2b_base64 a2b_hex b2a_base64 b2a_hex crc32 hexlify unhexlify",
        "bisect": "bisect bisect_left bisect_right insort insort_left insort_right",
        "calendar": "calendar day_abbr day_name isleap leapdays month month_abbr month_name monthcalendar monthrange "
        "timegm weekday",
        "cmath": "e exp log phase pi polar rect sqrt",
        "codecs": "BOM_UTF8 decode encode",
        "collections": "ChainMap Counter OrderedDict defaultdict deque namedtuple",
        "colorsys": "hls_to_rgb hsv_to_rgb rgb_to_hls rgb_to_hsv rgb_to_yiq yiq_to_rgb",
        "contextlib": "suppress",
        "copy": "copy deepcopy",
        "csv": "DictReader DictWriter Error QUOTE_ALL QUOTE_MINIMAL QUOTE_NONE QUOTE_NONNUMERIC Sniffer excel "
        "excel_tab field_size_limit list_dialects reader unix_dialect writer",
        "datetime": "MAXYEAR MINYEAR UTC date datetime time timedelta timezone",
        "decimal": "Context Decimal DivisionByZero InvalidOperation ROUND_DOWN ROUND_HALF_EVEN ROUND_HALF_UP "
        "ROUND_UP getcontext localcontext",
        "difflib": "HtmlDiff SequenceMatcher context_diff get_close_matches ndiff restore unified_diff",
        "fnmatch": "filter fnmatch fnmatchcase translate",
        "fractions": "Fraction",
        "functools": "cache cmp_to_key lru_cache partial reduce",
        "glob": "escape glob iglob",
        "gzip": "BadGzipFile compress decompress",
        "hashlib": "algorithms_available algorithms_guaranteed blake2b blake2s file_digest md5 new pbkdf2_hmac sha1 "
        "sha224 sha256 sha384 sha3_224 sha3_256 sha3_384 sha3_512 sha512 shake_128 shake_256",
        "heapq": "heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest",
        "hmac": "compare_digest digest new",
        "html": "escape unescape",
        "importlib.metadata": "distribution distributions entry_points metadata packages_distributions requires "
        "PackageNotFoundError version",
        "io": "BytesIO StringIO TextIOWrapper",
        "ipaddress": "IPv4Address IPv4Interface IPv4Network IPv6Address IPv6Interface IPv6Network collapse_addresses "
        "ip_address ip_interface ip_network summarize_address_range",
        "itertools": "accumulate batched chain combinations combinations_with_replacement compress count cycle "
        "dropwhile filterfalse groupby islice pairwise permutations product repeat starmap takewhile tee zip_longest",
        "json": "JSONDecodeError JSONDecoder JSONEncoder dump dumps load loads",
        "keyword": "iskeyword kwlist softkwlist",
        "lzma": "compress decompress",
        "math": "acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e erf erfc exp "
        "exp2 expm1 fabs factorial floor fmod frexp fsum gamma gcd hypot inf isclose isfinite isinf isnan isqrt lcm "
        "ldexp lgamma log log10 log1p log2 modf nan nextafter perm pi pow prod radians remainder sin sinh sqrt "
        "sumprod tan tanh tau trunc ulp",
        "operator": "add and_ concat contains countOf eq floordiv ge getitem gt iadd indexOf inv invert itemgetter "
        "le lshift lt mod mul ne neg not_ or_ pos pow rshift sub truediv truth xor",
        "os": "F_OK PathLike R_OK W_OK X_OK access altsep devnull getegid geteuid getgid getloadavg getppid getuid "
        "urandom cpu_count curdir extsep fsdecode fsencode fspath get_terminal_size getcwd getpid linesep listdir "
        "lstat name pardir pathsep readlink scandir sep stat uname walk",
        "os.path": "abspath basename commonpath commonprefix dirname exists expanduser getatime getctime "
        "getmtime getsize isabs isdir isfile islink ismount join lexists normcase normpath realpath relpath samefile "
        "sep split splitdrive splitext",
        "pathlib": "Path PosixPath PurePath PurePosixPath PureWindowsPath",
        "platform": "freedesktop_os_release mac_ver node platform processor uname version "
        "machine python_implementation python_version python_version_tuple release system",
        "pprint": "pformat pp pprint saferepr",
        "random": "expovariate normalvariate Random choice choices gauss getrandbits randbytes randint random "
        "randrange sample seed shuffle triangular uniform",
        "re": "A ASCII DOTALL I IGNORECASE M MULTILINE Match NOFLAG Pattern S U UNICODE VERBOSE X compile error "
        "escape findall finditer fullmatch match search split sub subn",
        "secrets": "choice compare_digest randbelow randbits token_bytes token_hex token_urlsafe",
        "shlex": "join quote split",
        "stat": "S_IMODE S_ISDIR S_ISLNK S_ISREG S_IFMT filemode",
        "statistics": "NormalDist covariance StatisticsError correlation fmean geometric_mean harmonic_mean "
        "linear_regression mean median median_grouped median_high median_low mode multimode pstdev pvariance "
        "quantiles stdev variance",
        "string": "ascii_letters ascii_lowercase ascii_uppercase capwords digits hexdigits octdigits printable "
        "punctuation whitespace",
        "struct": "Struct calcsize error iter_unpack pack pack_into unpack unpack_from",
        "sys": "getrefcount api_version argv base_prefix byteorder exec_prefix executable exit float_info flags "
        "getdefaultencoding getfilesystemencoding getrecursionlimit getsizeof hash_info hexversion implementation "
        "int_info intern maxsize maxunicode platform prefix setrecursionlimit stderr stdin stdout "
        "stdlib_module_names builtin_module_names version version_info",
        "sysconfig": "get_config_vars get_default_scheme get_makefile_filename get_config_var get_path get_paths "
        "get_platform get_python_version",
        "textwrap": "dedent fill indent shorten wrap",
        "time": "asctime ctime gmtime localtime mktime monotonic monotonic_ns perf_counter perf_counter_ns "
        "process_time sleep strftime strptime time time_ns timezone tzname",
        "tarfile": "ReadError TarError",
        "tomllib": "TOMLDecodeError load loads",
        "traceback": "format_exc print_exc",
        "typing": "Any Callable Dict Iterable Iterator List Mapping Optional Sequence Set Tuple Union",
        "unicodedata": "bidirectional category combining decimal digit east_asian_width is_normalized lookup "
        "mirrored name normalize numeric unidata_version",
        "urllib.parse": "parse_qs parse_qsl quote quote_from_bytes quote_plus unquote unquote_plus unquote_to_bytes "
        "urldefrag urlencode urljoin urlparse urlsplit urlunparse urlunsplit",
        "uuid": "NAMESPACE_DNS NAMESPACE_OID NAMESPACE_URL NAMESPACE_X500 UUID uuid3 uuid4 uuid5",
        "xml.etree.ElementTree": "Element ParseError SubElement XML dump fromstring indent iselement tostring",
        "zipfile": "BadZipFile",
        "plistlib": "FMT_BINARY FMT_XML InvalidFileException UID dump dumps load loads",
        "configparser": "BasicInterpolation ConfigParser Error ExtendedInterpolation NoOptionError NoSectionError "
        "RawConfigParser",
        "inspect": "cleandoc getdoc getfile getsource getsourcefile getsourcelines isbuiltin isclass isfunction "
        "signature",
        "shutil": "disk_usage get_terminal_size which",
        "tokenize": "generate_tokens tok_name tokenize",
        "warnings": "catch_warnings filterwarnings simplefilter warn",
        "timeit": "default_timer",
        "py_compile": "PyCompileError",
        "xml.dom.minidom": "parseString",
        "mimetypes": "guess_extension guess_type",
        "locale": "LC_ALL getlocale getpreferredencoding setlocale",
        "logging": "CRITICAL DEBUG ERROR INFO WARNING critical debug error getLogger info warning",
        "dataclasses": "asdict astuple fields is_dataclass",
        "numbers": "Integral Number Rational Real",
        "email": "message_from_binary_file message_from_bytes message_from_file message_from_string",
        "email.policy": "compat32 default",
        "email.header": "decode_header make_header",
        "ssl": "OPENSSL_VERSION OPENSSL_VERSION_INFO",
        "sqlite3": "DatabaseError Error OperationalError Row sqlite_version sqlite_version_info version",
        "importlib": "",
        "importlib.util": "",
        "filecmp": "",
        "zlib": "adler32 compress crc32 decompress decompressobj error",
        "zoneinfo": "ZoneInfo ZoneInfoNotFoundError available_timezones",
    }.items()
}
"""What may be used of each module, whatever it is given, also as a value."""

PACKAGES = frozenset(name.rpartition(".")[0] for name in MODULES if "." in name)
"""What modules are in."""

BUILTINS = frozenset(
    "abs all any ascii bin bool bytearray bytes callable chr complex dict dir divmod enumerate exit filter "
    "float format frozenset hash hex id int isinstance issubclass iter len list map max memoryview min next object "
    "oct ord pow print quit range repr reversed round set slice sorted str sum tuple zip Ellipsis False None "
    "NotImplemented True BaseException Exception ArithmeticError AssertionError AttributeError BlockingIOError "
    "BrokenPipeError BufferError EOFError FileExistsError FileNotFoundError FloatingPointError IOError ImportError "
    "IndentationError IndexError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError "
    "ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError OverflowError PermissionError "
    "RecursionError RuntimeError StopIteration SyntaxError SystemExit TabError TimeoutError TypeError "
    "UnicodeDecodeError UnicodeEncodeError UnicodeError ValueError Warning ZeroDivisionError".split()
)
"""Builtins that may be used, whatever they are given, also as values."""

FILERS = {
    **dict.fromkeys(("os.makedirs", "os.mkdir"), (1, frozenset({"exist_ok"}))),
    **dict.fromkeys(("shutil.copy", "shutil.copy2", "shutil.copyfile"), (2, frozenset())),
    **dict.fromkeys(("tarfile.is_tarfile", "xml.dom.minidom.parse", "zipfile.is_zipfile"), (1, frozenset())),
    "filecmp.cmp": (2, frozenset({"shallow"})),
}
"""Functions of which only so many arguments are files, all of them literal, with the settings that do no harm."""

LOOKED_AT = frozenset(
    "ast.parse compile importlib.import_module importlib.util.find_spec logging.basicConfig pandas.read_sql "
    "pandas.read_sql_query pandas.crosstab pandas.pivot_table pandas.set_option duckdb.connect duckdb.execute "
    "duckdb.query duckdb.sql sqlite3.connect".split()
)
"""Functions that may be called in some ways."""

OPENERS = frozenset(
    "open io.open bz2.open gzip.open lzma.open tarfile.open zipfile.ZipFile xml.etree.ElementTree.parse".split()
)
"""Functions that open a literal path, to read if their mode says so."""

WATCHED = frozenset({"compile", "getattr", "hasattr", "open", "type"})
"""Builtins that may be called in some ways, and are never values."""

TAKEN = frozenset("print apply copyright credits execfile file help license reload".split())
"""Names that a text does not bind, beside builtins that it may not use: they mean something in some Pythons."""

KNOWN_METHODS = frozenset(
    # of any value
    "__doc__ __name__ "
    # of str, bytes, numbers and containers
    "add append appendleft as_integer_ratio bit_count bit_length capitalize casefold cast center clear conjugate "
    "copy count decode denominator difference difference_update discard elements encode endswith expandtabs extend "
    "extendleft find from_bytes fromhex fromkeys get hex imag index insert intersection intersection_update "
    "is_integer isalnum isalpha isascii isdecimal isdigit isdisjoint isidentifier islower isnumeric isprintable "
    "isspace issubset issuperset istitle isupper items join keys ljust lower lstrip maketrans maps maxlen "
    "most_common move_to_end nbytes new_child numerator parents partition pop popitem popleft real remove "
    "removeprefix removesuffix replace reverse rfind rindex rjust rotate rpartition rsplit rstrip setdefault shape "
    "sort split splitlines start startswith step stop strip subtract swapcase symmetric_difference tobytes tolist "
    "title to_bytes total translate union update upper values zfill "
    # of files that are read, standard streams and texts in memory
    "buffer close closed encoding errors fileno flush getbuffer getvalue isatty mode newlines read read1 readable "
    "readinto readline readlines reconfigure seek seekable tell writable write writelines "
    # of patterns and matches
    "end expand finditer findall flags fullmatch group groupindex groups groupdict lastgroup lastindex match pattern "
    "pos endpos search span string sub subn "
    # of dates
    "astimezone combine ctime date datetime day days dst fold fromisocalendar fromisoformat fromordinal "
    "fromtimestamp hour isocalendar isoformat isoweekday max microsecond microseconds min minute month now "
    "resolution second seconds strftime strptime time timestamp timetuple timetz today toordinal total_seconds "
    "tzinfo tzname utc utcfromtimestamp utcnow utcoffset utctimetuple week weekday year key "
    # of hashes, structures and random numbers
    "block_size digest digest_size hexdigest name size pack unpack unpack_from iter_unpack bytes int urn variant "
    "version choice choices randint random randrange sample seed shuffle uniform "
    # of readers and writers of formats
    "dialect fieldnames has_header line_num restkey sniff writeheader writerow writerows default raw_decode "
    "iterencode attrib findtext iter itertext set tag tail text "
    "getroot iterfind namelist infolist getinfo file_size compress_size getnames getmembers extractfile isfile isdir "
    # of differences and numbers
    "get_grouped_opcodes get_matching_blocks get_opcodes make_file make_table quick_ratio ratio real_quick_ratio "
    "as_tuple compare from_float is_finite is_infinite is_nan limit_denominator normalize prec quantize sqrt "
    "to_integral_value "
    # of addresses
    "fragment geturl hostname netloc params password path port query scheme username broadcast_address exploded "
    "hosts is_global is_loopback is_multicast is_private netmask network network_address num_addresses overlaps "
    "packed prefixlen subnet_of subnets supernet supernet_of with_prefixlen compressed ip "
    # of paths, of which only the names are looked at, and what is known of files
    "absolute anchor as_posix as_uri cwd drive exists expanduser full_match glob home inode is_absolute is_dir "
    "is_file is_mount is_relative_to is_symlink iterdir joinpath lstat parent parts relative_to resolve rglob root "
    "samefile stat stem suffix suffixes walk with_name with_stem with_suffix st_atime st_ctime st_gid st_ino st_mode "
    "st_mtime st_mtime_ns st_nlink st_size st_uid nodename sysname release machine columns lines "
    # of exceptions
    "args add_note code colno doc errno filename lineno msg message object reason strerror value "
    # of libraries, packages and messages
    "__file__ __version__ get_content_type get_filename get_payload is_multipart metadata group "
    # of databases that are asked, and of settings
    "commit cursor description fetchall fetchmany fetchone getboolean getfloat getint has_option has_section options "
    "read_file read_string rollback rowcount sections "
    # of archives, disks and processes
    "CRC comment decompress eof unused_data date_time free getmember issym linkname mtime testzip used origin "
    # of trees of XML
    "attributes childNodes data documentElement firstChild getAttribute getElementsByTagName hasAttribute nodeName "
    "nodeValue tagName toprettyxml toxml "
    # of logs and numbers
    "critical debug error info setLevel warning cdf inv_cdf pdf _asdict _fields _make _replace line "
    # of syntax trees
    "annotation arg asname attr bases body cases col_offset comparators ctx decorator_list defaults elt elts "
    "end_col_offset end_lineno exc finalbody func handlers id ifs iter keywords kw_defaults kwarg kwonlyargs left "
    "level module names op operand ops orelse posonlyargs returns right slice subject target targets test type "
    "type_comment upper vararg "
    # of functions
    "cache_clear cache_info cache_parameters "
    # of what sys says
    "cache_tag dig epsilon major micro minor releaselevel serial tm_hour tm_mday tm_min tm_mon tm_sec tm_wday "
    "tm_yday tm_year from_iterable".split()
)
"""Attributes that do no harm on any value that a text can come by."""

BARRED = {
    "configparser": frozenset({"read"}),
    "duckdb": frozenset(
        "aggregate apply count filter first group_by join last list map max mean median min mode pivot quantile "
        "query rank rename sample select select_dtypes sort std sum unique unnest unpivot update value_counts "
        "values var with_columns abs cummax cummin cumprod cumsum kurt n_unique prod sem skew".split()
    ),
    "PIL": frozenset({"show"}),
    "pandas": frozenset("agg aggregate apply crosstab pivot_table query transform".split()),
    "pathlib": frozenset({"copy", "rename", "replace"}),
    "tarfile": frozenset({"extract", "extractall"}),
    "xml": frozenset({"parse", "write"}),
    "zipfile": frozenset({"extract", "extractall"}),
}
"""What a value of a module may not be asked for: it changes a file, opens one, or takes a text that is evaluated."""

TEXTS = frozenset(
    "decode hexdigest isoformat join lower lstrip read read_text rstrip strftime strip title upper".split()
)
"""Methods whose results are no paths."""

TEXT_MAKERS = frozenset({"repr", "re.sub", "re.subn", "str"})
"""Functions whose results are no paths, and hold none."""

PLAIN = frozenset(
    "Module Interactive Expr Assign AugAssign AnnAssign For While If With Try TryStar FunctionDef Return Pass Break "
    "Continue Raise Assert Global Nonlocal Delete Match MatchValue MatchSingleton MatchSequence MatchMapping "
    "MatchStar MatchAs MatchOr match_case ExceptHandler withitem arguments arg keyword comprehension BoolOp "
    "NamedExpr BinOp UnaryOp Lambda IfExp Dict Set ListComp SetComp DictComp GeneratorExp Yield YieldFrom JoinedStr "
    "Constant Starred List Tuple Slice Load Store Del And Or Add Sub Mult MatMult Div Mod Pow LShift RShift BitOr "
    "BitXor BitAnd FloorDiv Invert Not UAdd USub Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn".split()
)
"""Syntax that does nothing by itself; classes are not among it, because Python calls their methods by itself."""

STANDARD = frozenset(
    sys.stdlib_module_names | {"annotationlib", "asynchat", "asyncore", "compression", "distutils", "imp"}
)
"""The modules of the standard library, of this Python and of others."""

FOREIGN = {"org": "python", "tzdata": "zoneinfo"}
"""What they try to load that is not theirs: to 3.12 `copy` loads `org.python.core`; `zoneinfo` loads `tzdata.zoneinfo`.

Nothing of that name is found later, so a directory does without `__init__.py` (Python reference, Namespace packages).
"""

LOADED = STANDARD | FOREIGN.keys() | {"pip"}

NEVER_LOADED = frozenset("__future__ antigravity idlelib lib2to3 test this tkinter turtle turtledemo".split())
"""Those of them that no module above loads."""
