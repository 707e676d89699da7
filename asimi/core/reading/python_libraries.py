"""What Python may use of libraries for data that others write, and still do no more than compute, print and read.

Sources: the manuals of NumPy 1.26 to 2.4, pandas 2.2 to 3.1, Polars 2.1, DuckDB 2.0, SciPy 1.17, PyArrow 26, PyYAML 6,
Pillow 13 and openpyxl 3.1. As in `python_names`, a method counts by its name. What evaluates a text, loads pickled data
or takes an address is not here.
"""

from __future__ import annotations

SAID = frozenset("__version__ __file__ __name__ __path__ VERSION version_info".split())
"""What each library may be asked for, because it only says which one it is."""

VERSIONED = frozenset(
    "IPython PIL accelerate aiohttp airflow altair anthropic arrow attr attrs black bokeh boto3 botocore bs4 "
    "cachetools celery certifi cffi chromadb click cloudpickle cryptography cupy cv2 cython dash dask datasets "
    "dateutil discord django docker dotenv duckdb elasticsearch fastapi fastparquet filelock flask fsspec gensim "
    "geopandas google gradio grpc gunicorn h5py httpx huggingface_hub hypothesis imageio jax jinja2 joblib "
    "jsonschema jupyter jupyterlab keras kafka keyring langchain lightgbm llama_cpp loguru lxml markdown "
    "marshmallow matplotlib mlflow mne moviepy mypy mysql networkx nltk notebook numba numexpr numpy onnx "
    "onnxruntime openai openpyxl optuna orjson packaging pandas paramiko peewee playwright plotly polars psutil "
    "psycopg psycopg2 pyarrow pydantic pydantic_core pydub pygments pylint pymongo pymysql pyodbc pypdf pyparsing "
    "pytest pytorch_lightning pytz redis regex reportlab requests rich ruff scapy scipy seaborn selenium "
    "sentence_transformers setuptools shapely simplejson six sklearn skimage spacy sqlalchemy sqlmodel starlette "
    "statsmodels streamlit sympy tables tabulate tensorflow termcolor textual tiktoken timm tokenizers toml tomlkit "
    "torch torchaudio torchvision tornado tqdm transformers tree_sitter typer typing_extensions ujson urllib3 "
    "uvicorn vllm wandb websockets werkzeug wheel xarray xgboost xlrd xlsxwriter yaml zmq".split()
)
"""Libraries that may be loaded."""

DATA = frozenset("PIL duckdb numpy openpyxl pandas polars pyarrow scipy yaml".split())
"""Those of them of which all is known that they load."""

LIBRARIES: dict[str, frozenset[str]] = {
    **dict.fromkeys(VERSIONED, SAID),
    **{
        name: frozenset(names.split()) | SAID
        for name, names in {
            "django": "get_version",
            "torch.cuda": "device_count get_device_name is_available",
            "torch.version": "cuda hip",
            "numpy": "abs absolute add all allclose amax amin any append arange arccos arcsin arctan arctan2 argmax "
            "argmin argsort argwhere array array_equal array_split asarray atleast_1d atleast_2d average bincount "
            "bool_ broadcast_to cbrt ceil clip column_stack complex128 concatenate convolve copy corrcoef correlate "
            "cos cosh count_nonzero cov cross cumprod cumsum datetime64 deg2rad degrees delete diag diff digitize "
            "divide dot dtype e ediff1d einsum empty empty_like exp expand_dims expm1 eye fabs finfo flatnonzero "
            "flip fliplr flipud float16 float32 float64 floor frombuffer fromiter full full_like gradient histogram "
            "histogram2d hsplit hstack hypot identity iinfo imag inf inner insert int16 int32 int64 int8 interp "
            "intersect1d isclose isfinite isin isinf isnan kron linspace log log10 log1p log2 logical_and "
            "logical_not logical_or logspace matmul max maximum mean median meshgrid min minimum mod moveaxis "
            "multiply nan nan_to_num nanmax nanmean nanmedian nanmin nanpercentile nanstd nansum ndarray newaxis "
            "nonzero ones ones_like outer pad partition percentile pi polyfit polyval power printoptions prod "
            "quantile rad2deg radians ravel real repeat reshape roll rot90 round searchsorted set_printoptions "
            "setdiff1d shape sign sin sinh size sort split sqrt square squeeze stack std subtract sum swapaxes take "
            "tan tanh tensordot tile timedelta64 trace transpose trapezoid tril triu uint16 uint32 uint64 uint8 "
            "union1d unique var vectorize vstack where zeros zeros_like",
            "numpy.linalg": "LinAlgError cond det eig eigh eigvals inv lstsq matrix_rank norm pinv qr solve svd",
            "numpy.random": "RandomState choice default_rng normal permutation rand randint randn random seed shuffle "
            "standard_normal uniform",
            "numpy.fft": "fft fft2 fftfreq fftshift ifft irfft rfft rfftfreq",
            "pandas": "Categorical DataFrame DatetimeIndex Grouper Index IndexSlice MultiIndex NA NaT Series Timedelta "
            "Timestamp concat cut date_range get_dummies isna isnull json_normalize melt merge merge_asof notna "
            "notnull period_range qcut reset_option timedelta_range to_datetime to_numeric to_timedelta unique",
            "polars": "Boolean DataFrame Date Datetime Float32 Float64 Int16 Int32 Int64 Int8 LazyFrame Series "
            "String UInt32 UInt64 UInt8 Utf8 all any_horizontal col concat concat_str corr count date first "
            "from_dict from_dicts last len lit max max_horizontal mean median min min_horizontal n_unique std "
            "struct sum sum_horizontal when",
            "duckdb": "CatalogException Error",
            "PIL.Image": "",
            "pyarrow.parquet": "",
            "yaml": "YAMLError dump safe_dump safe_load safe_load_all",
            "scipy": "",
            "scipy.stats": "binom chi2 chi2_contingency describe entropy expon f f_oneway fisher_exact gamma iqr "
            "kendalltau kruskal ks_2samp kstest kurtosis linregress lognorm mannwhitneyu mode norm normaltest "
            "pearsonr poisson sem shapiro skew spearmanr t ttest_1samp ttest_ind ttest_rel uniform wilcoxon zscore",
            "scipy.spatial.distance": "cdist cosine euclidean pdist squareform",
        }.items()
    },
}
"""What may be used of each library, whatever it is given, also as a value."""

READERS = {
    **dict.fromkeys(
        "PIL.Image.open openpyxl.load_workbook pyarrow.parquet.ParquetFile pyarrow.parquet.read_metadata "
        "pyarrow.parquet.read_schema pyarrow.parquet.read_table "
        "numpy.genfromtxt numpy.load numpy.loadtxt pandas.ExcelFile pandas.read_csv pandas.read_excel "
        "pandas.read_feather pandas.read_fwf pandas.read_json pandas.read_parquet pandas.read_table polars.read_csv "
        "polars.read_excel polars.read_ipc polars.read_json polars.read_ndjson polars.read_parquet polars.scan_csv "
        "polars.scan_ndjson polars.scan_parquet".split(),
        1,
    ),
    "numpy.fromfile": 2,
}
"""What reads the file that is its first argument, with how many arguments by place."""

READING = frozenset(
    "cache_dates data_only read_only chunksize columns comment comments compression converters count "
    "date_format dayfirst decimal delimiter doublequote dtype dtypes encoding encoding_errors escapechar "
    "filling_values has_header header index_col ignore_errors infer_schema_length keep_default_na lines low_memory "
    "max_rows missing_values n_rows na_filter na_values names nrows null_values offset on_bad_lines orient "
    "parse_dates quotechar quoting schema_overrides sep separator sheet_id sheet_name skip_blank_lines skip_header "
    "skip_rows skipfooter skipinitialspace skiprows squeeze thousands try_parse_dates unpack usecols".split()
)
"""Settings with which these load nothing and take no address; `engine` and `allow_pickle` are looked at."""

WRITERS = {
    **dict.fromkeys(
        "to_csv to_excel to_feather to_html to_json to_latex to_markdown to_parquet to_string".split(),
        frozenset(
            "bold_rows classes columns compression date_format decimal double_precision encoding escape float_format "
            "force_ascii header index index_label indent justify line_width lines max_cols max_rows mode na_rep orient "
            "quotechar quoting sep sheet_name".split()
        ),
    ),
    "numpy.save": frozenset(),
    "numpy.savetxt": frozenset("comments delimiter encoding fmt footer header newline".split()),
}
"""What writes the file that is its first argument, a method or a function, with its harmless settings."""

ENGINES = frozenset("c calamine fastparquet openpyxl pyarrow python pyxlsb xlrd xlsxwriter".split())

FUNCTIONAL = frozenset("agg aggregate apply transform".split())
"""What calls a method by a name that it is given, in pandas."""

NAMED = frozenset(
    "all any count cumcount cummax cummin cumprod cumsum diff first idxmax idxmin last max mean median min mode ngroup "
    "nunique pct_change prod rank sem shift size skew std sum unique var".split()
)
"""Names of such methods that change nothing."""

METHODS = {
    "PIL": "convert crop getbands getbbox getchannel getcolors getdata getextrema getpixel height histogram info "
    "is_animated mode n_frames resize rotate size split thumbnail width",
    "openpyxl": "active cell column_dimensions columns coordinate dimensions iter_cols iter_rows max_column max_row "
    "merged_cells rows sheetnames title value values worksheets",
    "pyarrow": "column column_names columns describe dtypes field head info metadata names nullable num_columns "
    "num_row_groups num_rows read_row_group row_group schema shape slice tail to_pandas to_pydict to_pylist "
    "total_byte_size types value_counts",
    "numpy": "T all any argmax argmin argsort astype clip compress conj cumprod cumsum diagonal dot dtype fill flat "
    "flatten imag integers item itemsize max mean min nbytes ndim nonzero normal permutation prod ravel real repeat "
    "reshape round size sort squeeze standard_normal std sum swapaxes take tobytes trace transpose var files",
    "pandas": "T abs add all any asfreq assign astype at between bfill cat categories ceil clip codes columns "
    "combine_first compare contains corr cov cummax cummin cumprod cumsum date day_name dayofweek describe diff div "
    "dot drop drop_duplicates droplevel dropna dt dtype dtypes duplicated empty eq equals ewm expanding explode "
    "extract extractall ffill fillna filter first floor from_dict from_records ge get_group get_level_values "
    "groupby groups gt hour iat idxmax idxmin iloc index info is_monotonic_increasing is_unique isin isna isnull "
    "iterrows itertuples kurt last le levels loc lt map mask mean median melt memory_usage merge minute mode "
    "month_name mul names nbytes ndim ne ngroups nlargest notna notnull nsmallest nth nunique parse pct_change "
    "pivot prod quantile quarter rank reindex rename rename_axis resample reset_index rolling round sample "
    "select_dtypes sem set_index shape sheet_names shift size skew sort_index sort_values squeeze stack std str sub "
    "sum swaplevel T tail head tz_convert tz_localize to_frame to_list to_numpy to_period to_records to_dict "
    "to_timestamp total_seconds transpose unique unstack value_counts var where xs",
    "polars": "agg alias alias cast clip collect columns describe drop drop_nulls dt dtype dtypes ends_with explode "
    "fetch fill_null filter gather_every glimpse group_by head height is_between is_in is_not_null is_null item "
    "iter_rows join len len_chars limit list mean median melt n_unique null_count otherwise over pivot quantile "
    "rank rename reverse row rows sample schema select shape slice sort starts_with std str sum tail then to_date "
    "to_dict to_dicts to_list to_lowercase to_pandas to_series to_uppercase top_k unique unnest unpivot "
    "value_counts var when width with_columns with_row_index",
    "duckdb": "arrow columns description df dtypes fetchall fetchdf fetchmany fetchnumpy fetchone pl shape show types",
    "scipy": "cdf confidence_interval correlation df interval intercept isf logpdf mean median pdf pmf ppf pvalue "
    "rvalue rvs sf slope statistic std stderr var",
}
"""What values of these may be asked for, beside `KNOWN_METHODS`."""

LOADED = frozenset(
    "AppKit Carbon Cython EasyDialogs Foundation IPython Numeric PIL PyInstaller PyQt4 PyQt5 PyQt6 PySide2 PySide6 "
    "Quartz Res adbc_driver_duckdb adbc_driver_manager adbc_driver_postgresql adbc_driver_sqlite altair "
    "annotationlib array_api_compat array_api_strict arrow_odbc azure bokeh boto3 bottleneck botocore brotli "
    "brotlicffi bs4 cairo cairocffi certifi cffi charset_normalizer code_generators contourpy cramjam cupy cupyx "
    "cycler cython dask dateutil defcon defusedxml deltalake docutils duckdb et_xmlfile fastexcel fastparquet "
    "fontTools freetype fs fsspec gcsfs gevent gi glyphsLib google great_tables html5lib hypothesis ipykernel jax "
    "jinja2 kiwisolver lance lancedb lxml lz4 marimo markupsafe matplotlib mpl_toolkits mpmath munkres mypy ndonnx "
    "numarray numba numexpr numpy numpy_distutils odf olefile openpyxl packaging pandas pathops platformdirs polars "
    "polars_cloud polars_iceberg pooch psutil psycopg2 pyarrow pydantic pydantic_core pyiceberg pylab pymysql "
    "pyparsing pyreadstat pytest python_calamine pytz pyxlsb qtpy railroad reportlab requests rmm s3fs scikits "
    "scipy selenium setuptools setuptools_scm shiboken2 shiboken6 sip six sksparse snappy sparse sphinx sqlalchemy "
    "sympy tables tabulate threadpoolctl torch tornado traitlets typing_extensions tzdata tzlocal uarray ufoLib2 "
    "uharfbuzz unicodedata2 wx xarray xattr xlrd xlsx2csv xlsxwriter yaml zopfli zstandard".split()
)
"""What those in `DATA` load, or would if it were there."""

SPARED = frozenset(
    "agent agents alembic api app apps asgi assets auth backend benchmarks bot build cli client conftest controllers "
    "core crud dashboard data database db dist docs evaluate evaluation examples experiments frontend handlers helpers "
    "inference jobs logs main manage middleware migrations model models notebooks noxfile output pipeline pipelines "
    "predict prompts public repositories reports results routers routes run schemas scripts server services settings "
    "setup src static tasks templates tests tools train training ui uploads utils views web worker workers wsgi".split()
)
"""Names of modules in a project that no library loads."""
