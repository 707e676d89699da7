"""What program texts in other languages do: what they start, which files they name, and whether Python only reads."""

import gzip
import json
import os
import re
import subprocess
import sys
import zipfile

import pytest

from asimi.core.budget import Budget
from asimi.core.call import Place, Request
from asimi.core.reading import Readings, python

READS = [
    "print(2**32)",
    "import math; print(math.sqrt(2), math.pi)",
    "import sys; print(sys.version, sys.version_info.major, sys.platform, file=sys.stderr)",
    "import sys; print(sys.path)",
    "import sys; sys.stdout.write('x' * 3)",
    "import sys, json; print(json.load(sys.stdin))",
    "import sys\nfor line in sys.stdin:\n    print(line.rstrip())",
    "import datetime as dt; print(dt.datetime(2024, 1, 1).isoformat(), dt.date(2024, 1, 1).replace(day=2))",
    "from datetime import datetime, timedelta; print(datetime(2024, 1, 1) + timedelta(days=3))",
    "import hashlib; print(hashlib.sha256(b'x').hexdigest())",
    "from urllib.parse import quote; print(quote('a b'))",
    "import urllib.parse; print(urllib.parse.urlparse('https://a/b').netloc)",
    "import re; print(re.sub(r'(\\d+)', lambda m: m.group(1) * 2, 'a1'))",
    "print('\\n'.join(f'{i:3d} {i * i:>6}' for i in range(3)))",
    "import json; print(json.load(open('a.json'))['a'])",
    "import json\nwith open('a.json', encoding='utf-8') as f:\n    print(json.dumps(json.load(f), indent=2))",
    "print(open('a.json', 'rb').read().decode().replace('a', 'b'))",
    "from pathlib import Path; print(Path('a.json').read_text().replace('a', 'b'))",
    "from pathlib import Path\ntext = Path('a.json').read_text()\ntext = text.replace('a', 'b')\nprint(text)",
    "import pathlib, re\ns = pathlib.Path('a.json').read_text()\ns = s.replace('a', 'b')\ns = re.sub('b', 'c', s)",
    "import pathlib, re\ns = pathlib.Path('a.json').read_text()\ns, n = re.subn('b', 'c', s)\ns = s.replace('a', 'b')",
    "from pathlib import Path\np = Path('.') / 'a.json'\nprint(p.read_text(), p.name, p.exists())",
    "from pathlib import Path\nfor p in sorted(Path('.').glob('*.json')):\n    print(p.name, p.stat().st_size)",
    "from pathlib import Path\nfor p in sorted(Path('.').rglob('*.json')):\n    print(p, len(p.read_text()))",
    "from pathlib import Path\nfor i, p in enumerate(Path('.').glob('*.json'), 1):\n    print(i, p.open().read())",
    "from pathlib import Path\nprint(*(p.read_text() for p in [q for q in Path('.').rglob('?.csv') if q.stem]))",
    "import glob, json\nfor f in glob.glob('*.json') + glob.glob('**/*.json', recursive=True):\n    json.load(open(f))",
    "import glob, xml.etree.ElementTree as E; [print(c.tag) for f in glob.glob('*.xml') for c in E.parse(f).iter()]",
    "import glob\nfiles = sorted(glob.glob('*.csv'))\nprint(len(files), files)\nfor f in files:\n    open(f).close()",
    "names = ['a.csv', 'a.csv']\nfor name in names:\n    print(open(name).read())",
    "for name in ['a.json', 'a.json']:\n    print(len(open(name).readlines()))",
    "import os; print(os.getcwd(), os.path.join('a', 'b'), os.listdir('.'), os.path.exists('x'))",
    "import os; print(os.environ.get('HOME'), os.environ['HOME'], os.getenv('X', 'y'), 'HOME' in os.environ)",
    "from collections import defaultdict, Counter\nd = defaultdict(int)\nd['x'] += 1\nprint(d, Counter('aab'))",
    "import itertools, functools; print(functools.reduce(lambda a, b: a + b, itertools.chain([1], [2])))",
    "def fib(n):\n    a, b = 0, 1\n    for _ in range(n):\n        a, b = b, a + b\n    return a\nprint(fib(10))",
    "import functools\n@functools.lru_cache(maxsize=None)\ndef f(n):\n    return n\nprint(f(9))",
    "import ast\nfor n in ast.walk(ast.parse('f()')):\n    if isinstance(n, ast.Call):\n        print(n.lineno)",
    "import ast; print(ast.literal_eval('[1]'), getattr(ast.parse('1'), 'body'))",
    "import csv\nwith open('a.csv', newline='') as f:\n    rows = list(csv.DictReader(f))\nprint(rows)",
    "import csv, sys; csv.writer(sys.stdout).writerow(['a', 1])",
    "try:\n    int('x')\nexcept ValueError as e:\n    print(type(e).__name__, e)",
    "x = 1\nprint(type(x), type(x) is int, f'{type(x)}')",
    "if __name__ == '__main__':\n    print('never run rm or git push by hand')",
    "print('{:>5} {name}'.format('a', name='b'), '%s' % 'x')",
    "import textwrap, string, statistics; print(textwrap.dedent(' x'), string.digits, statistics.mean([1, 2]))",
    "import struct, base64, binascii; print(struct.pack('<I', 1), base64.b64decode('eA=='), binascii.hexlify(b'x'))",
    "import difflib; print(*difflib.unified_diff(['a'], ['b']))",
    "import tomllib; print(tomllib.loads('a = 1'))",
    "import time; print(time.strftime('%Y', time.gmtime(0)))",
    "import xml.etree.ElementTree as ET; print(ET.fromstring('<a b=\"c\"/>').attrib)",
    "match [1, 2]:\n    case [a, *rest]:\n        print(a, rest)",
    "print(open(0).read())",
    "import io; print(io.StringIO('x').read())",
    "from os.path import expanduser; print(open(expanduser('~/a.json')).read())",
    "import xml.etree.ElementTree as ET, sys; sys.stdout.write(ET.parse('a.xml').getroot().tag)",
    "import gzip, zipfile\nwith gzip.open('a.gz', 'rt') as f, zipfile.ZipFile('a.zip') as z:\n    z.namelist()",
    "import sys; sys.exit(0)",
    "from pathlib import Path\nfor p in Path('.').rglob('*'):\n    if p.suffix == '.json':\n        p.read_text()",
    "import os\nfor r, d, f in os.walk('.'):\n    for n in sorted(f):\n        open(os.path.join(r, n)).close()",
    "import os\nfor n in [m for m in os.listdir('.') if m[-1] == 'v']:\n    open(n).read()",
    "compile('1', '<text>', 'exec')",
    "import ast; ast.parse(open('a.json').read(), 'a.json')",
    "import plistlib; print(plistlib.loads(plistlib.dumps({'a': 1})))",
    "import configparser; c = configparser.ConfigParser(); c.optionxform = str; c.read('a.ini'); print(c.sections())",
    "import inspect, textwrap; print(inspect.getsource(textwrap.dedent), inspect.signature(textwrap.dedent))",
    "import shutil, platform; print(shutil.which('true'), shutil.disk_usage('/').free, platform.node())",
    "import sqlite3; print(list(sqlite3.connect(':memory:').execute('select 1')))",
    "import sqlite3; print(list(sqlite3.connect('file:a.db?mode=ro', uri=True).execute('select 1')))",
    "import sqlite3\nwith sqlite3.connect('a.db') as c:\n    t = '1'\n    print(c.execute(f'select {t}').fetchall())",
    "import sqlite3\nc = sqlite3.connect('a.db')\nc.row_factory = sqlite3.Row\nc.execute(f'select {len(str(c))}')",
    "import zipfile\nwith zipfile.ZipFile('a.zip') as z:\n    for n in z.namelist():\n        z.open(n).read()",
    "import filecmp; print(filecmp.cmp('a.csv', 'a.csv'))",
    "import email; print(email.message_from_string('a: b')['a'])",
    "from xml.dom import minidom; print(minidom.parseString('<a/>').toprettyxml())",
    "import importlib.util; print(importlib.util.find_spec('json').origin)",
    "import importlib.metadata as m; print(len(list(m.distributions())))",
    "import logging; logging.basicConfig(level=logging.INFO); logging.getLogger('x').info('y')",
    "for x in ('a', 'a'):\n    print(open(f'{x}.json').read())",
]
"""Texts that do no more than compute, print and read."""

CODE = [
    "open('x', m)",
    "import sys; open(sys.argv[1])",
    "for n in ['a', b]:\n    open(n)",
    "n = 'a'\nn += 'b'\nopen(n)",
    "def f(n='a'):\n    return open(n)",
    "from pathlib import Path\nfor p in Path('.').glob('[a-z].py'):\n    p.read_text()",
    "from pathlib import Path\nfor p in Path('.').glob('*/../a'):\n    p.read_text()",
    "from pathlib import Path\nfor p in Path('.').glob('*.py'):\n    (p / '../a').read_text()",
    "from pathlib import Path\nfor p in Path('.').glob('*.py'):\n    p.with_name('a').read_text()",
    "from pathlib import Path\nfor p in Path(x).glob('*.py'):\n    p.read_text()",
    "from pathlib import Path\nfor p in Path('.').glob(x):\n    p.read_text()",
    "import glob\nfor p in glob.glob('*.py', root_dir='/etc'):\n    open(p)",
    "import glob, os\nfor p in glob.glob('*.py'):\n    open(os.path.join(p, '../a'))",
    "import glob, os\nfor p in glob.glob('*.py'):\n    open(os.path.expanduser(p))",
    "import glob\nfor p in glob.glob('*.py'):\n    p = p.lower()\n    open(p)",
    "import glob\nx = glob.glob('*.py')\nx.append(y)\nfor p in x:\n    open(p)",
    "import glob\nx = glob.glob('*.py')\nx[0] = y\nfor p in x:\n    open(p)",
    "import glob\nx = glob.glob('*.py')\nx += y\nfor p in x:\n    open(p)",
    "import glob\nx = y = glob.glob('*.py')\ny.append(z)\nfor p in x:\n    open(p)",
    "import glob\nx = glob.glob('*.py')\ny = x\ny.append(z)\nfor p in x:\n    open(p)",
    "import glob\nx = glob.glob('*.py')\n(lambda y: y.append(z))(x)\nfor p in x:\n    open(p)",
    "import glob\nx = glob.glob('*.py')\nsorted(x, key=x.append)\nfor p in x:\n    open(p)",
    "import glob\nfor x in [glob.glob('*.py')]:\n    x.append(y)\n    for p in x:\n        open(p)",
    "import glob\ndef f(x=glob.glob('*.py')):\n    for p in x:\n        open(p)",
    "import glob\ndef enumerate(x):\n    return y\nfor i, p in enumerate(glob.glob('*.py')):\n    open(p)",
    "import glob\nenumerate = zip\nfor i, p in enumerate(glob.glob('*.py'), y):\n    open(p)",
    "import glob\nfrom copy import copy as enumerate\nfor i, p in enumerate(glob.glob('*.py'), y):\n    open(p)",
    "import glob\nx = glob.glob('*.py')\nlen = lambda y: y.append(z)\nlen(x)\nfor p in x:\n    open(p)",
    "import glob\nx = glob.glob('*.py')\nsorted = reversed\nfor p in sorted(x):\n    open(p)",
    "import glob\nfor x, p in enumerate(glob.glob('*.py'), y):\n    open(x)",
    "import glob\nfor p in [p + 'x' for p in glob.glob('*.py')]:\n    open(p)",
    "import glob\nfor p in (lambda: ['a'])():\n    open(p)",
    "open('x', opener=print)",
    "open('x', 'r', -1, None, None, None, True, print)",
    "open(*['x', 'w'])",
    "open(**{'file': 'x', 'mode': 'w'})",
    "o = open\no('x', 'w')",
    "list(map(open, ['x']))",
    "open = print",
    "def print(x):\n    pass",
    "import json as open",
    "import io; io.FileIO('x', 'w')",
    "import codecs; codecs.open('x', 'w')",
    "eval('1')",
    "exec('1')",
    "__import__('os').system('true')",
    "import importlib; importlib.import_module('x')",
    "import os; os.system('true')",
    "import os; os.remove('x')",
    "import os as o; o.rename('a', 'b')",
    "import os; print(os)",
    "from os import system",
    "from os import *",
    "from . import x",
    "import subprocess\nsubprocess.Popen(['ls'])",
    "import shutil; shutil.rmtree('x')",
    "import socket",
    "import ctypes",
    "import builtins",
    "import pickle",
    "import src.app",
    "import json; json.codecs.open('x', 'w')",
    "import re; re.enum.sys.modules",
    "import json; getattr(json, 'codecs')",
    "import os; getattr(os, 'sys' + 'tem')('true')",
    "getattr(1, '__class__')",
    "getattr(1, name)",
    "().__class__.__bases__",
    "(lambda: 0).__globals__",
    "print.__self__",
    "(x for x in ()).gi_frame",
    "'{0.__class__}'.format(1)",
    "'{0.x}'.format(1)",
    "'{:{0.x}}'.format(1)",
    "f = input\n'a'.format(f)",
    "x = str(1)\nx.format(1)",
    "str.format('{0.__class__}', 1)",
    "'{a.b}'.format_map({})",
    "globals()['x'] = 1",
    "vars(1)",
    "locals()",
    "setattr(1, 'a', 2)",
    "delattr(1, 'a')",
    "input()",
    "breakpoint()",
    "help()",
    "__builtins__",
    "__loader__",
    "__builtins__ = 1",
    "x = 1\nx.y = 2",
    "def f():\n    pass\nf.x = 1",
    "del x.y",
    "for x.y in []:\n    pass",
    "class A:\n    pass",
    "@unknown\ndef f():\n    pass",
    "async def f():\n    pass",
    "def f():\n    exec = 1\nexec('1')",
    "def f():\n    from json import loads as exec\nexec('1')",
    "def f(eval):\n    pass\neval('1')",
    "t = type(open('a'))",
    "type(open('a', 'rb').raw)('x', 'w')",
    "print(type('A', (), {}))",
    "open('a', 'rb').raw",
    "import sys; sys.path.append('x')",
    "import sys; sys.path.insert(0, 'x')\nimport json",
    "import sys; x = sys.path",
    "from sys import path; path.append('x')",
    "import sys; sys.modules['os']",
    "import sys; sys.settrace(print)",
    "import sys; sys.stdout = 1",
    "import os; print(os.environ['GITHUB_TOKEN'])",
    "import os; print(os.getenv('AWS_SECRET_ACCESS_KEY'))",
    "import os; print(os.environ)",
    "import os; print(dict(os.environ))",
    "import os; os.environ['A'] = 'b'",
    "from os import environ; print(environ)",
    "from pathlib import Path; Path('x').unlink()",
    "from pathlib import Path; Path('x').replace('y')",
    "from pathlib import Path\np, q = Path('x'), str(1)\np.replace('y')",
    "from pathlib import Path\np, q = [Path('x'), Path('z')]\nq.replace('y')",
    "from pathlib import Path\np, *q = Path('.').parts, Path('x')\nq.replace('y')",
    "from pathlib import Path\nimport pathlib as re\np, q = re.sub\np.replace('y')",
    "from pathlib import Path\n(p, q), r = str(1), Path('x')\nq.replace('y')",
    "from pathlib import Path; Path.replace(Path('x'), 'y')",
    "from pathlib import Path\nfor p in Path('.').iterdir():\n    p.replace('y')",
    "from pathlib import Path\nf = Path.replace",
    "from pathlib import Path as str\nstr('x').replace('y')",
    "import pathlib\nstr = pathlib.Path\nstr('x').replace('y')",
    "import pathlib\nx = 'a'\nx = pathlib.Path('b')\nx.replace('c')",
    "import pathlib, collections\ncollections.namedtuple('A', 'strip')(pathlib.Path).strip('a').replace('b')",
    "import json, pathlib\njson.JSONDecoder(parse_int=pathlib.Path).decode('5').replace('6')",
    "import json as j, pathlib\nd = j.JSONDecoder(parse_int=pathlib.Path)\np, q = d.decode('[5, 6]')\np.replace('7')",
    "import pathlib\nfrom json import JSONDecoder as J\nJ(parse_int=pathlib.Path).decode('5').replace('6')",
    "import pathlib, ast\nast.Name(strip=pathlib.Path).strip('a').replace('b')",
    "import pathlib\nfrom ast import Name\nName(strip=pathlib.Path).strip('a').replace('b')",
    "import os.path; os.path.os.system('true')",
    "import functools; functools.partial(eval)",
    "import itertools; list(itertools.starmap(open, [('x', 'w')]))",
    "import os; f = lambda: os\nf().system('true')",
    "from pathlib import Path\np = Path('x')\np = p.replace('y')",
    "from pathlib import Path\n[p.copy('y') for p in Path('.').iterdir()]",
    "import operator; operator.methodcaller('x')",
    "import operator; operator.attrgetter('__class__')",
    "import functools; functools.wraps(print)",
    "import uuid; uuid.getnode()",
    "import timeit; timeit.timeit('1')",
    "import time; time.clock_settime(0, 0)",
    "import xml.etree.ElementTree as ET; ET.ElementTree(ET.XML('<a/>')).write('x')",
    "import xml.etree.ElementTree as ET; t = ET.parse('a.xml'); t.write('x')",
    "import xml.etree.ElementTree as ET; ET.parse(x)",
    "import zipfile; zipfile.ZipFile('a.zip', 'w')",
    "import zipfile; zipfile.ZipFile('a.zip').extractall()",
    "import tarfile; tarfile.open('a.tar').extractall()",
    "import gzip; g = gzip.open",
    "import gzip; gzip.GzipFile('a.gz', 'w')",
    "import json\njson = 1",
    "import json as x\nimport math as x",
    "match 1:\n    case int(real=r):\n        pass",
    "import urllib.request; urllib.request.urlopen('https://a')",
    "import urllib; urllib.request",
    "print 1",
    "print('a'",
    "x = 'a\0b'",
    "import json.tool",
    "import os\nfor n in os.listdir('src'):\n    open(n, 'w')",
    "import os\nfor n in os.listdir('src'):\n    open(os.path.join('.', n), 'w')",
    "import os, shutil\nfor n in os.listdir('src'):\n    shutil.copy(os.path.join('src', n), n)",
    "import os, pathlib\nfor n in os.listdir('src'):\n    (pathlib.Path('.') / n).write_text('')",
    "import os, pandas\nfor n in os.listdir('src'):\n    pandas.DataFrame().to_csv(n)",
    "import os\nfor n in os.listdir('src'):\n    open(os.path.join('src', n, '../x'))",
    "import os\nfor n in os.listdir('src'):\n    open(n + '/../x')",
    "import os\nfor n in os.listdir('src'):\n    n = x\n    open(n)",
    "for r, d, f in [('a', [], ['x'])]:\n    for n in f:\n        open(n)",
    "import os\nfor r, d, f in os.walk('src'):\n    f.append(x)\n    for n in f:\n        open(n)",
    "import os\nfor r, d, f in os.walk(x):\n    for n in f:\n        open(os.path.join(r, n))",
    "from pathlib import Path\nfor p in Path('src').iterdir():\n    (p.parent / 'x').read_text()",
    "import inspect; inspect.getsource(compile('1', 'a', 'exec').replace(co_filename='.env'))",
    "import glob, shutil\nfor p in glob.glob('*.rc'):\n    shutil.copy(p, '.')",
    "import pandas as pd, pathlib\nfor r in pd.DataFrame({'strip': [x]}).itertuples():\n    r.strip('a').replace('b')",
    "import pandas as pd; pd.read_csv('a.csv', compression={'method': 'tar', 'name': 'b'})",
    "compile('return', x, 'exec')",
    "list(map(compile, ['return'], ['.env'], ['exec']))",
    "import ast; ast.parse('(', x)",
    "import ast; ast.parse(*['(', '.env'])",
    "import ast; p = ast.parse; p('(', '.env')",
    "import pandas as pd; pd.read_csv('~/.ssh/id_rsa')",
    "import polars as pl; pl.read_csv('.en*')",
    "import app; print(app.__version__)",
    "import sqlite3; sqlite3.connect('a.db').execute('delete from t')",
    "import sqlite3; x = 'b'; sqlite3.connect('a.db').execute(f'attach {x} as y')",
    "import sqlite3; sqlite3.connect('a.db').executescript('select 1')",
    "import sqlite3; list(map(sqlite3.connect('a.db').execute, ['delete from t']))",
    "import sqlite3; sqlite3.connect('a.db').create_function('f', 1, print)",
    "import zipfile; zipfile.ZipFile('a.zip').open('x', 'w')",
    "import tarfile; tarfile.open('a.tar').open('x', 'w')",
    "import tarfile; tarfile.open('a.tar', 'w:gz').add('x')",
    "import configparser; [r('x') for r in [configparser.ConfigParser().read]]",
    "import configparser; getattr(configparser.ConfigParser(), 'read')('x')",
    "import shutil; shutil.copy('a', x)",
    "import shutil; shutil.copy(*['a', 'b'])",
    "from pathlib import Path; w = Path('x').write_text; w('y')",
    "import sys; sys.modules",
    "from enum import Enum",
    "import importlib; importlib.import_module('json').tool",
    "import importlib; m = importlib.import_module('numpy'); m.load('x')",
    "import importlib; m = importlib.import_module('numpy'); n = m; n.load('x')",
    "import importlib; [m.load('x') for m in [importlib.import_module('numpy')]]",
    "import logging; logging.basicConfig(filename='x')",
    "import pandas as pd; pd.DataFrame().agg('to_csv', path_or_buf='x')",
    "import pandas as pd; pd.DataFrame().groupby('a').transform(x)",
    "import pandas as pd, functools; functools.partial(pd.pivot_table, aggfunc='to_csv')",
    "import pandas as pd; pd.crosstab(1, 2, 3, aggfunc='to_csv')",
    "import pandas as pd; pd.set_option('plotting.backend', 'x')",
    "import pandas as pd; pd.options.plotting.backend = 'x'",
    "import pandas as pd; pd.read_csv('a.csv', **{'storage_options': 1})",
    "import pandas as pd; pd.read_csv(*['https://a'])",
    "import pandas as pd; pd.DataFrame().query('a')",
    "import pandas as pd; f = pd.read_csv; f('https://a')",
    "import pandas as pd; [f('x') for f in [pd.DataFrame().to_csv]]",
    "import pandas as pd, sqlite3; pd.DataFrame().query('select + @os.system(\"%s\")' % 1)",
    "import pandas as pd, sqlite3; pd.DataFrame().query(f'select + @os.system({1})')",
    "import pandas as pd, duckdb; pd.DataFrame().query('select')",
    "import polars as pl, sqlite3; pl.DataFrame().sql(\"select * from read_csv('%s')\" % 'x')",
    "import pandas as pd; pd.DataFrame().pivot_table(**{'aggfunc': 'to_csv'})",
    "import pandas as pd; pd.DataFrame().pivot_table(*['a', 'b', 'c', 'to_csv'])",
    "import pandas, zipfile; zipfile.ZipFile('a.zip').extractall('x')",
    "import pandas, tarfile; tarfile.open('a.tar').extract('x')",
    "import pandas, sys\nfrom pathlib import Path\nPath(sys.argv[1]).rename('x')",
    "import polars\nfrom pathlib import Path\nlist(map(Path.rename, [], []))",
    "import pandas, xml.etree.ElementTree as ET; ET.parse('a.xml').parse('b' + str(1))",
    "import duckdb\nfrom PIL import Image\nImage.open('a.png').show()",
    "from PIL import Image\nimport os\nf = '{0.__globals__[os].environ}'.format\nprint(f(lambda: 0))",
    "from PIL import Image\nprint(getattr('{0.__globals__}', 'format')(lambda: 0))",
    "import duckdb, pandas; duckdb.sql('select 1').prod('x')",
    "import os; os.path.expandvars('$GITHUB_TOKEN')",
    "import numpy as np; np.load('a.npy', allow_pickle=1)",
    "import numpy as np; np.save('.envrc', 1)",
    "import numpy as np; np.loadtxt('https://a')",
    "import duckdb; duckdb.connect('a.db')",
    "import duckdb; duckdb.sql('select 1').filter('x')",
    "import duckdb; duckdb.sql(f'select {x}')",
    "import typing; typing.get_type_hints(print)",
]
"""Texts that may do more, or of which that is not shown."""

WRITES = [
    ("open('x', 'w').write('y')", {"x"}),
    ("open('x', mode='a')", {"x"}),
    ("import io; io.open('x', 'wb')", {"x"}),
    ("open('a.json', 'r+')", {"a.json"}),
    ("import gzip; gzip.open('a.gz', 'wb').write(b'x')", {"a.gz"}),
    ("from pathlib import Path; Path('x').write_text('y'); Path('z').touch()", {"x", "z"}),
    ("from pathlib import Path\np = Path('a.json')\np.write_text(p.read_text().replace('a', 'b'))", {"a.json"}),
    ("from pathlib import Path; (Path('g') / 'e').mkdir(parents=True, exist_ok=True)", {"g", "g/e"}),
    ("from pathlib import Path; Path('x').open('w')", {"x"}),
    ("import json\nwith open('x', 'w') as f:\n    json.dump({}, f)", {"x"}),
    ("import os; os.makedirs('g/e', exist_ok=True); os.mkdir('f')", {"g", "g/e", "f"}),
    ("import shutil; shutil.copy('a.json', 'b.json'); shutil.copyfile('a.csv', 'b.csv')", {"b.json", "b.csv"}),
    ("import shutil; shutil.copy2('a.json', 'd')", {"d", "d/a.json"}),
    ("from pathlib import Path\nfor p in Path('.').glob('*.csv'):\n    p.write_text('')", {"a.csv"}),
    ("d = 'a'\nfor x in ['1', '2']:\n    open(f'{d}{x}.txt', 'w')", {"a1.txt", "a2.txt"}),
    ("import sqlite3; list(sqlite3.connect('new.db').execute('select 1'))", {"new.db"}),
]
"""Texts that write, and what they write at most."""

STARTS = [
    ("python3 -c 'import os; os.system(\"echo a && mv x y\")'", ["echo a", "mv x y"]),
    ("python3 -c 'import os; os.popen(\"mv x $(tac y)\")'", ["mv x ?", "tac y"]),
    ('python3 -c \'import subprocess; subprocess.run(["mv", "-f", x])\'', ["mv -f ?"]),
    ("python3 -c 'import subprocess as s; s.check_output(\"mv x y\", shell=True)'", ["mv x y"]),
    ('python3 -c \'from subprocess import run as r; r(args=("mv", "x"))\'', ["mv x"]),
    ('python3 -c \'__import__("os").system("mv x y")\'', ["mv x y"]),
    ('python3 -c \'import os; getattr(os, "system")("mv x y")\'', ["mv x y"]),
    ('python3 -c \'import os; os.execvp("mv", ["mv", "x"])\'', ["mv x"]),
    ('python3 -c \'import os; os.execl("/bin/mv", "mv", "x")\'', ["/bin/mv x"]),
    ('python3 -c \'import os; os.spawnlp(os.P_WAIT, "mv", "mv", "x")\'', ["mv x"]),
    ('python3 -c \'import pty; pty.spawn(["mv", "x"])\'', ["mv x"]),
    ('python3 -c \'c = "mv x"; import os; os.system(c + " y")\'', ["mv x y"]),
    ("python3 -c 'import os; os.system(f\"mv {x} y\")'", ["mv ? y"]),
    ("python3 -c 'import subprocess; subprocess.run(\"mv x\".split())'", ["mv x"]),
    ('python3 -c \'import subprocess, sys; subprocess.run([sys.executable, "-m", "x"])\'', ["python3 -m x"]),
    ('python3 -c \'import os; os.system("bash -c \\"mv x\\"")\'', ["bash -c mv x", "mv x"]),
    ("python2 -c 'import os; os.system(\"mv x\"); print 1'", ["mv x"]),
    ("python3 - <<'E'\nimport os\nos.system('mv x y')\nE", ["mv x y"]),
    ("python3 <<'E'\nimport os\nos.system('mv x y')\nE", ["mv x y"]),
    ("echo 'import os; os.system(\"mv x\")' | python3", ["mv x"]),
    ("timeout 5 python3 -u -c 'import os; os.system(\"mv x\")'", ["mv x"]),
    ('bash -c "python3 -c \'import os; os.system(\\"mv x\\")\'"', ["mv x"]),
    ('node -e \'require("child_process").execSync("mv x y")\'', ["mv x y"]),
    ('node -p \'require("child_process").spawnSync("mv", ["x", y])\'', ["mv x ?"]),
    ("node --eval='const { exec } = require(\"child_process\"); exec(`mv x`, done)'", ["mv x"]),
    ("node <<'E'\nrequire('child_process').execFileSync('mv', ['x'], { stdio: 'inherit' })\nE", ["mv x"]),
    ("node -e 'await $`mv x`; print(`mv ${y}`)'", ["mv x"]),
    ("perl -e 'system(\"mv x y\")'", ["mv x y"]),
    ('perl -e \'system "mv", "x", $y\'', ["mv x ?"]),
    ("perl -lne 'exec \"mv x\"'", ["mv x"]),
    ("perl -we 'print `mv x`; my $a = qx{mv y}'", ["mv x", "mv y"]),
    ("perl -e 'system(qw(mv x y))'", ["mv x y"]),
    ('perl -e \'open(F, "-|", "mv", "x")\'', ["mv x"]),
    ("perl -e 'open(F, \"mv x|\")'", ["mv x"]),
    ("perl <<'E'\nsystem('mv', 'x');\nE", ["mv x"]),
    ('ruby -e \'system "mv", "x"\'', ["mv x"]),
    ("ruby -e 'puts `mv x`; %x(mv y)'", ["mv x", "mv y"]),
    ("ruby -e 'Open3.capture2(\"mv x\"); IO.popen(%w[mv y])'", ["mv x", "mv y"]),
    ("ruby <<'E'\nexec 'mv', 'x'\nE", ["mv x"]),
    ("php -r 'shell_exec(\"mv x\");'", ["mv x"]),
    ("python3 -c 'print(\"mv x\")'", []),
    ("python3 app.py -c 'import os; os.system(\"mv x\")'", []),
    ("python3 -m app -c 'import os; os.system(\"mv x\")'", []),
]
"""Commands, and the commands that the program texts in them start."""

OPENED = re.compile(r"(?:\(|\[|/ )'(?:~/)?(a\.\w+)'")
"""A file that one of the texts above opens."""

WATCH = """
import builtins, io, json, os, sys, traceback
def watch(event, given):
    if not watch.on:
        return
    if event == "open" and isinstance(given[1], str) and set(given[1]) & set("wax+"):
        watch.seen.append(f"{event} {given}")
    elif event == "open" and given[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC):
        watch.seen.append(f"{event} {given}")
    elif event.partition(".")[0] in ("subprocess", "socket", "shutil", "ctypes", "pty") or event in (
        "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.remove", "os.rename", "os.rmdir", "os.mkdir",
        "os.putenv", "os.chmod", "os.truncate", "os.symlink", "os.link", "exec.code",
    ):
        watch.seen.append(event)
watch.on, watch.seen = False, []
sys.addaudithook(watch)
out = []
for text in json.loads(sys.argv[1]):
    watch.seen = []
    sys.stdin, sys.stdout = io.StringIO("[]"), io.StringIO()
    code, failed = compile(text, "", "exec"), ""
    watch.on = True
    try:
        exec(code, {"__name__": "__main__"})
    except SystemExit:
        pass
    except Exception:
        failed = traceback.format_exc()
    watch.on = False
    out.append([watch.seen, failed])
sys.__stdout__.write(json.dumps(out))
"""
"""Runs texts and tells which of Python's audit events say that they did more than to read."""


def make_files(tmp_path):
    """The files that the texts name."""
    (tmp_path / "a.json").write_text('{"a": 1}')
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    (tmp_path / "a.xml").write_text("<a/>")
    (tmp_path / "a.db").touch()
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "e").touch()
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"x"))
    zipfile.ZipFile(tmp_path / "a.zip", "w").close()


@pytest.mark.parametrize("text", READS)
def test_python_that_only_reads(text):
    found = python.read(text, Budget())
    assert found is not None
    assert found.reads


@pytest.mark.parametrize("text", [text for text in READS if OPENED.search(text)])
def test_what_python_opens_is_named(text):
    """Each file that a text reads is looked at as one that a command reads."""
    found = python.read(text, Budget())
    named = {os.path.normpath(file.path) for file in found.files if file.how in {"open", "read"}}
    assert named == set(OPENED.findall(text))


def test_python_says_the_same_of_it(tmp_path):
    """Each of these texts runs, and Python's own audit hooks see nothing but reading."""
    make_files(tmp_path)
    before = sorted(path.name for path in tmp_path.iterdir())
    command = [sys.executable, "-c", WATCH, json.dumps(READS)]
    environment = {"HOME": str(tmp_path)}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, input="[]", capture_output=True, text=True, check=True
    )
    assert [(text, *said) for text, said in zip(READS, json.loads(done.stdout), strict=True) if any(said)] == []
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.parametrize(("text", "expected"), WRITES)
def test_python_that_writes_what_it_names(tmp_path, text, expected):
    """What such a text changes is what it names, or found by its pattern."""
    make_files(tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    found = python.read(text, Budget())
    assert found is not None
    assert found.reads
    subprocess.run([sys.executable, "-c", text], cwd=tmp_path, check=True)
    changed = {path for path in tmp_path.rglob("*") if before.get(path) != path.stat().st_mtime_ns}
    assert {os.path.relpath(path, tmp_path) for path in changed} <= expected
    named = {os.path.normpath(file.path) for file in found.files if file.how in {"write", "open"}}
    assert {name for name in expected if not any(each.startswith(f"{name}/") for each in named)} <= named | {
        name for file in found.files if file.found is not None for name in ("a.csv", "d/e")
    }


@pytest.mark.parametrize("text", CODE)
def test_python_that_may_do_more(text):
    found = python.read(text, Budget())
    assert found is None or not found.reads


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000 + ")" * 5000,
        "-" * 9000 + "1",
        "x" + ".a" * 5000,
        "a = b'\\xff'\n" * 9999,
        "\ud800",
    ],
)
def test_python_that_is_too_much_is_code(text):
    found = python.read(text, Budget())
    assert found is None or not found.reads


def test_values_of_names_do_not_grow():
    text = (
        "a = 'x' * 9\nb = 'xx'\n" + "\n".join(f"b{i + 1} = b{i or ''} + b{i or ''}" for i in range(60)) + "\nopen(b60)"
    )
    found = python.read(text, Budget(20_000))
    assert found is not None
    assert not found.reads


def read(text):
    """What a shell text would do."""
    request = Request("run_shell_command", text, None, Place("/project", "/project", inside=True))
    return Readings((), (), judge_substitutions=True).of(request)


@pytest.mark.parametrize(("text", "expected"), STARTS)
def test_what_a_program_text_starts(text, expected):
    said = [
        " ".join("?" if word is None else word for word in command.literals)
        for command in read(text).commands
        if command.called
    ]
    assert list(dict.fromkeys(said)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("python3 -c 'print(1)'", True),
        ("python3.12 -c'print(1)' a b", True),
        ("python -I -B -u -Wignore -X utf8 -c 'print(1)' -i", True),
        ("python3 -Wignore::DeprecationWarning -c 'print(1)'", True),
        ("python3 <<< 'print(1)'", True),
        ("python3 - a b <<'E'\nprint(1)\nE", True),
        ("pypy3 -c 'print(1)'", True),
        ("python3 -m json.tool a.json", True),
        ("cat a.json | python3 -m json.tool --sort-keys", True),
        ("python3 -m json.tool a.json b.json", False),
        ("python3 -m json.tool --unknown a.json", False),
        ("python3 -i -m json.tool a.json", False),
        ('python3 -m json.tool "$f"', False),
        ("python3 -m json.tools a.json", False),
        ("python2 -c 'print(1)'", False),
        ("pypy -c 'print(1)'", False),
        ("python3 -i -c 'print(1)'", False),
        ("python3 -x -c 'print(1)'", False),
        ("python3 -m x -c 'print(1)'", False),
        ("python3 -Wignore::a.B -c 'print(1)'", False),
        ("python3 -X pycache_prefix=/x -c 'print(1)'", False),
        ("python3 -c 'print(1)", False),
        ('python3 -c "print($x)"', False),
        ("python3 a.py <<< 'print(1)'", False),
        ("python3 - <<'E'\n# coding: rot13\nprint(1)\nE", False),
        ("python3 - <<'E'\n# -*- coding: utf-8 -*-\nprint(1)\nE", True),
        ("python3 - <<E\nprint($x)\nE", False),
        ("cat a | python3", False),
        ("python3", False),
        ("find . -exec python3 -c 'print(\"{}\")' ';'", False),
        ("ls | xargs python3 -c 'print(1)'", True),
        ("ls | xargs -I{} python3 -c 'print(\"{}\")'", False),
    ],
)
def test_what_is_read_of_a_command(text, expected):
    commands = read(text).commands if expected or text.count("'") % 2 == 0 else ()
    assert any(command.inline is not None and command.inline.reads for command in commands) is expected
