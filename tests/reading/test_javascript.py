"""What is proven of JavaScript that `node -e` runs: what passes is run by node where it may do nothing but read."""

import functools
import shutil
import subprocess

import pytest

from asimi.core.budget import Budget
from asimi.core.reading.javascript import read

PROVEN = r"""
console.log(require('./package.json').version)
require('./package.json').version
const x=[1,2,3]; console.log(x.map(y=>y*2))
console.log(JSON.parse(require('fs').readFileSync('package.json')).version)
console.log(Object.keys(require('./package.json').dependencies).join('\n'))
const p = require('./package.json');⏎console.log(p.scripts, p['name'])
const fs=require('fs');⏎for (const [k,v] of Object.entries(JSON.parse(fs.readFileSync('package.json')))) console.log(k)
console.log(process.version, process.argv.length)
1+1
new Date().toISOString()
'abc'.split('').reverse().join('')
let n = 0; for (let i = 0; i < 10; i++) { n += i } console.log(n)
const a = 1, b = 2; console.log(a / b)
console.log([3,1,2].sort((a,b)=>a-b), 'x'.replace(/[x/]/g, m => m.toUpperCase()))
fs.readFileSync('package.json','utf8').split('\n').filter(line => /"n/.test(line)).length
['1', '2'].map(Number).reduce((sum, each) => sum + each, 0)
console.log(`a`, Math.max(...[1, 2]), path.join('a', 'b'))
try { JSON.parse('x') } catch (error) { console.log(error.message) }
// require('child_process')⏎console.log(1)
[...new Set([1, 1, 2])].length
require('fs').existsSync('package.json') ? 'there' : 'not'
for (const [k, v] of Object.entries(require('./package.json'))) console.log(`${k}: ${v.length} ${`<${k}>`}`)
const o = {a: 1}; `${ {a: 2}.a }${o.a}$ {x} \${y}`.length
console.table([{a: 1}].map(m => ({name: 'x'.slice(-60), kb: (m.a / 1024).toFixed(1)})))
Buffer.from('aGk=', 'base64').toString() + encodeURIComponent('a b') + btoa('x')
const crypto = require('crypto'); crypto.createHash('sha256').update('x').digest('hex')
require('crypto').randomBytes(4).toString('hex') + require('os').cpus().length
let s = ''; process.stdin.on('data', d => s += d).on('end', () => process.stdout.write(`${s.length}\n`))
const m = new Map([['a', 1]]); m.set('b', 2); m.get('a')
new URL('https://a/?b=1').searchParams.get('b')
const util = require('node:util'); util.inspect({a: [1]}, {depth: null})
console.log(process.version, typeof File, typeof eval)
const hash = v => require('crypto').createHash('sha256').update(JSON.stringify(v)).digest('hex'); hash({a: 1})
const walk = (o, p = '') => { if (Array.isArray(o)) o.forEach(x => walk(x, p)); else console.log(p) }; walk([[1]])
const b = fs.readFileSync('package.json'); b.readUInt32BE(0) + b.readInt8(4)
"""

NOT_PROVEN = r"""
const f = v => require; f('fs')
const f = (a, g) => g(a); f('1', eval)
const f = (a, g) => g(a); f('1', Number)
let f = v => v; f = Number; f('1')
let f = v => v; f('1')
const f = Number; f('1')
const f = (Number); f('1')
const f = v => v; (f => f('1'))(Number)
const f = v => v; for (const f of [Number]) f('1')
const f = v => v; const g = ({f}) => f('1'); g({f: Number})
const f = v => v; const g = (...f) => f('1'); g(1)
try { x } catch (f) { f(1) } const f = v => v
const f = v => v, g = Number; g('1')
const f = a => b => b; f(1)(2)
typeof require('child_process')
typeof eval('1')
typeof File/eval('1')/1
let a = 1; a++ / eval('x') / 1
let a = 1; a-- / eval('x') / 1
(1) / eval('x') / 1
require('child_process').execSync('true')
child_process.exec('true')
''.constructor.constructor('return process')()
''['constructor']['constructor']('x')()
''['constr\u0075ctor']
''[`constructor`]
['http://x'].map(fetch)
['u'].map(fetch); [1].map(fetch => 1)
[1].map(f); [1].map(f => 1)
const f = x => x; [1].map(f)
require('./a.json').map(fetch)
require('fs').writeFileSync('a', 'b', {mode: 0o777})
require('fs').writeFileSync('a', 'b')
fs.appendFileSync('d/a', JSON.stringify({a: 1}))
fs.mkdirSync('a')
require('fs').writeFileSync('a\x2fb', 'c')
require('fs').writeFileSync(process.argv[1], 'b')
fs.writeFileSync(`${process.cwd()}/a`, 'b')
let p = 'a'; p = process.argv[1]; fs.writeFileSync(p, 'b')
const p = 'a' + process.pid; fs.writeFileSync(p, 'b')
const p = 'a' in {}; fs.writeFileSync(p, 'b')
const p = 'a'; ['b'].map(p => fs.writeFileSync(p, 'c'))
const p = 'a'; for (const p of process.argv) fs.writeFileSync(p, 'c')
const p = 'a'; { let p = process.argv[1]; fs.writeFileSync(p, 'c') }
const {p} = {p: process.argv[1]}; fs.writeFileSync(p, 'c')
fs.rmSync('a')
const w=fs.writeFileSync; w('a','b')
const f = require('fs'); f.rmSync('x')
const {rmSync} = require('fs'); rmSync('x')
const fs = require('fs').promises; fs.rm('x')
eval('x')
new Function('x')()
Function('x')()
require('./x.js')
require('./x')
require('x.json')
require('./x.json', 1)
require('./' + 'x.json')
import('fs')
process.env.TOKEN
process.kill(1)
process.binding('fs')
process.mainModule.require('fs')
if (1) /'/.test(1); f() //'
a++ /1/ f() //'
x = 1 <!-- `⏎f()⏎//`
const {['constr'+'uctor']: F} = ''
const {'constructor': F} = ''
const {'constr\x75ctor': F} = ''
({toString: fetch})+''
({toJSON: fetch})
console.log`x`
f`x`
require.cache
require('fs')['rmSync']('x')
fs['rmSync']('x')
fs?.rmSync('x')
x.fs.readFileSync('x')
global.process.exit()
this.process
(0,eval)('x')
(() => 1)()
[].map(require)
Object.assign(require, {})
x?.y?.('a')
setTimeout(() => 1)
console.log(fs)
console._stdout.write('x')
fs.readFileSync('a'+b)
fs.readFileSync('a\x62')
a\u0062c('x')
`${eval('x')}`
`${1}${fetch}`
`${1`
f`${1}`
String.raw`${1}`
x[`${1}`]
`${require('child_process')}`
`${`${fetch('x')}`}`
({get x() { return 1 }})
({set x(y) {}})
process.stdin
const i = process.stdin; i.fd = 3
const s = process.stdin.on('end', () => 1); s.path = '.env'; s.on('data', s.open)
[process.stdin.resume()].map(s => s.on('data', s.open))
let s; s = process.stdin.resume()
const f = () => process.stdin.resume()
const f = x => { return process.stdin.resume() }
process.stdout.constructor
process.stdout['write']('x')
process.stdout.pipe(x)
x.stdout.write('x')
const w = x; w.write('a')
process.stdin.on('data', fetch)
process.on('exit', () => 1)
crypto.generateKeyPairSync('rsa')
os.setPriority(1)
Buffer.constructor
util.promisify(x)
require('util').promisify(x)
const util = require('fs'); util.format('a')
class A {}
async () => 1
function f() {}
'a
"""


def rows(table):
    """The texts of a table, where ⏎ is a newline."""
    return [line.replace("⏎", "\n") for line in table.strip().splitlines()]


@pytest.mark.parametrize("text", rows(PROVEN))
def test_what_computes_prints_and_reads_is_proven(tmp_path, text):
    found = read(text, Budget())
    assert found.reads
    assert {each.how for each in found.files} <= {"read"}
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not here")
    (tmp_path / "package.json").write_text('{"name": "n", "version": "1", "scripts": {}, "dependencies": {"a": "1"}}')
    permission = "--permission" if b"--permission" in options(node) else "--experimental-permission"
    if permission.encode() not in options(node):
        pytest.skip("this node cannot be held")
    words = [node, permission, "--allow-fs-read=*", "-p", text]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@functools.cache
def options(node):
    """What node says of its options."""
    return subprocess.run([node, "--help"], capture_output=True, check=True).stdout


@pytest.mark.parametrize("text", [*rows(NOT_PROVEN), "a\rb", "1 + '\u2028'", "x" * 9000])
def test_what_may_do_more_is_not(text):
    assert not read(text, Budget()).reads


def test_what_has_to_be_there_is_said():
    assert read("require('./a.json')", Budget()).needs == ("./a.json",)
    assert read("require('fs').readFileSync('a.json')", Budget()).needs == ()
