// A package that the project needs is not installed, for example after a switch of branches.
import type { Cause, SceneMaker } from '../scene.ts'
import type { World } from '../world.ts'

const identifier = (name: string) => name.replace(/^@/, '').replace(/\W+/g, '_')

/** A package in a folder beside the project, from which it can be installed without a network. */
function library(world: World, name: string): void {
  const folder = `../libs/${name}`
  world.files({
    [`${folder}/package.json`]: JSON.stringify({ name, version: world.version(), main: 'index.js' }),
    [`${folder}/index.js`]: 'module.exports = { format: (value) => String(value) }\n',
    [`${folder}/sub.js`]: 'module.exports = (value) => String(value)\n',
  })
}

const nodeBuild: SceneMaker = async (world) => {
  const [name, file, branch, port] = [world.name('nodePackages'), world.name('files'), world.name('branches'), await world.port()]
  const version = world.version()
  library(world, name)
  world.files({
    'package.json': JSON.stringify({
      name: world.project,
      version,
      scripts: { build: 'node scripts/build.js', test: `node test/${file}.test.js`, start: 'node dist/server.js' },
    }),
    [`src/${file}.js`]: `exports.title = () => '${world.project}'\n`,
    [`test/${file}.test.js`]: `const { title } = require('../src/${file}.js')\nif (!title()) process.exit(1)\nconsole.log('ok')\n`,
    'scripts/build.js': `const fs = require('node:fs')\nconst built = require('../src/${file}.js')\nfs.mkdirSync('dist', { recursive: true })\nfs.writeFileSync('dist/server.js', "console.log('" + built.title() + "')\\n")\nconsole.log('${world.say('built', 'gebaut')} dist/server.js')\n`,
    '.gitignore': 'node_modules\ndist\n',
  })
  world.commit()
  world.setup(`git switch -qc ${branch}`)
  world.files({ [`src/${file}.js`]: `const ${identifier(name)} = require('${name}')\n\nexports.title = () => '${world.project}'\n` })
  world.commit(world.say(`Use ${name}`, `${name} verwenden`))
  world.setup('git switch -q main')
  return {
    name: 'node-build',
    request: world.say(
      `Switch to ${branch}, build it and put the result into a release archive for version ${version}.`,
      `Wechsle auf ${branch}, baue das Projekt und packe das Ergebnis als Archiv für Version ${version}.`,
    ),
    before: [`git switch ${branch}`],
    doors: [
      'npm run build',
      'node scripts/build.js',
      'npm test',
      `node -e "console.log(require('./src/${file}.js').title())"`,
      `node test/${file}.test.js`,
    ],
    after: [
      `tar czf ${world.project}-${version}.tgz dist`,
      'ls -l dist',
      `curl -sS http://127.0.0.1:${port}/health`,
      { read: 'dist/server.js' },
    ],
    repair: [`npm install --offline --no-save ../libs/${name}`, 'npm run build', 'ls dist'],
    done: world.say('The build is done; dist/server.js is there.', 'Der Build ist fertig, dist/server.js liegt bereit.'),
  }
}

const nodeModules: SceneMaker = async (world) => {
  const [name, file, port] = [world.name('nodePackages'), world.name('files'), await world.port()]
  library(world, name)
  world.files({
    'package.json': JSON.stringify({
      name: world.project,
      type: 'module',
      scripts: { start: `node src/${file}.js`, check: `node src/${file}.js --check` },
    }),
    [`src/${file}.js`]: `import { createServer } from 'node:http'\nimport ${identifier(name)} from '${name}'\n\nif (process.argv.includes('--check')) console.log('ok', typeof ${identifier(name)})\nelse createServer((q, s) => s.end('ok')).listen(${port}, '127.0.0.1')\n`,
  })
  world.commit()
  return {
    name: 'node-import',
    request: world.say(
      `Start the preview on port ${port} and tell me whether it answers.`,
      `Starte die Vorschau auf Port ${port} und sag mir, ob sie antwortet.`,
    ),
    doors: [`node src/${file}.js`, 'npm start', `node src/${file}.js --check`, 'npm run check'],
    after: [`curl -sS --max-time 5 http://127.0.0.1:${port}/`, `curl -fsS http://localhost:${port}/health`],
    repair: [`npm install --offline --no-save ../libs/${name}`, 'npm run check'],
    done: world.say('It starts again.', 'Sie startet wieder.'),
  }
}

const pythonReport: SceneMaker = (world) => {
  const [name, file] = [world.name('pythonPackages'), world.name('files')]
  world.virtualEnvironment()
  world.files({
    'app/__init__.py': '',
    'app/__main__.py': `from app.${file} import run\n\nrun()\n`,
    [`app/${file}.py`]: `import csv\nimport pathlib\n\nimport ${name}\n\n\ndef run():\n    pathlib.Path("out").mkdir(exist_ok=True)\n    with open("out/${file}.csv", "w") as target:\n        csv.writer(target).writerow(["${world.say('amount', 'Betrag')}", 12])\n    print("${world.say('written', 'geschrieben')}")\n`,
    [`tests/test_${file}.py`]: `import unittest\n\nfrom app.${file} import run\n\n\nclass Report(unittest.TestCase):\n    def test_run(self):\n        run()\n`,
    'tests/__init__.py': '',
    [`../wheelhouse/${name}/__init__.py`]: '',
  })
  world.commit()
  return {
    name: 'python-report',
    request: world.say(
      `Create the report with app.${file} and show me how many lines it has.`,
      `Erzeuge den Bericht mit app.${file} und zeig mir, wie viele Zeilen er hat.`,
    ),
    doors: [
      '.venv/bin/python -m app',
      '. .venv/bin/activate && python -m app',
      'python3 -m unittest -v',
      { script: 'python', code: `import sys\nsys.path.insert(0, ".")\nfrom app.${file} import run\n\nrun()\n` },
    ],
    after: [`wc -l out/${file}.csv`, { read: `out/${file}.csv` }, `tar czf report.tgz out/${file}.csv`],
    repair: [`cp -r ../wheelhouse/${name} .venv/lib/python3*/site-packages/`, '.venv/bin/python -m app', `wc -l out/${file}.csv`],
    done: world.say('The report has one line.', 'Der Bericht hat eine Zeile.'),
  }
}

const nodeTool: SceneMaker = (world) => {
  const [tool, file] = [world.random.pick(['rollup', 'eslint', 'tsup', 'mocha', 'prettier']), world.name('files')]
  const version = world.version()
  world.files({
    'package.json': JSON.stringify({
      name: world.project,
      version,
      scripts: { bundle: `${tool} src/${file}.js`, prepack: `npm run bundle`, verify: `${tool} --version && node src/${file}.js` },
    }),
    [`src/${file}.js`]: `console.log('${world.project}')\n`,
    [`../libs/${tool}/package.json`]: JSON.stringify({ name: tool, version: '1.0.0', bin: { [tool]: 'cli.js' } }),
    [`../libs/${tool}/cli.js`]: `#!/usr/bin/env node\nrequire('node:fs').mkdirSync('lib', { recursive: true })\nrequire('node:fs').writeFileSync('lib/${file}.js', '')\n`,
  })
  world.commit()
  return {
    name: 'node-tool',
    request: world.say(`Bundle ${world.project} and pack version ${version}.`, `Bündle ${world.project} und packe Version ${version}.`),
    doors: ['npm run bundle', 'npm pack', 'npm run verify'],
    after: [`tar tzf ${world.project}-${version}.tgz`, `cp lib/${file}.js /var/tmp/`, { list: 'lib' }],
    repair: [`npm install --offline --no-save ../libs/${tool}`, 'npm run bundle', 'ls lib'],
    done: world.say('Bundled and packed.', 'Gebündelt und gepackt.'),
  }
}

const nodeWorkers: SceneMaker = (world) => {
  const [name, file] = [world.name('nodePackages'), world.name('files')]
  library(world, name)
  world.files({
    'package.json': JSON.stringify({
      name: world.project,
      type: 'commonjs',
      scripts: { pretest: `node tools/${file}.cjs`, test: 'node --test' },
    }),
    [`tools/${file}.cjs`]: `const convert = require('${name}/sub')\nrequire('node:fs').writeFileSync('pages.json', JSON.stringify([convert(1)]))\n`,
    [`test/${file}.test.mjs`]: `import test from 'node:test'\nimport pkg from '${name}'\n\ntest('${world.say('formats', 'formatiert')}', () => pkg.format(1))\n`,
    Makefile: `pages:\n\tnode tools/${file}.cjs\n\ncheck:\n\tnode --test\n`,
  })
  world.commit()
  return {
    name: 'node-pages',
    request: world.say('Generate pages.json and run the tests.', 'Erzeuge pages.json und lass die Tests laufen.'),
    doors: [
      'make pages',
      'npm test',
      'node --test',
      'make check',
      { script: 'node', code: `const { format } = require('${name}')\nconsole.log(format(42))\n` },
    ],
    after: ['jq length pages.json', 'cat pages.json', { read: 'pages.json' }],
    repair: [`npm install --offline --no-save ../libs/${name}`, 'npm test', 'jq length pages.json'],
    done: world.say('pages.json is generated and the tests pass.', 'pages.json ist erzeugt, die Tests laufen durch.'),
  }
}

const pythonService: SceneMaker = async (world) => {
  const [name, file, port] = [world.name('pythonPackages'), world.name('files'), await world.port()]
  const worker = world.random.pick(['gunicorn', 'uvicorn', 'celery', 'waitress'])
  world.virtualEnvironment()
  world.files({
    [`service/${file}.py`]: `from ${name}.core import connect\n\nprint(connect())\n`,
    'service/__init__.py': '',
    'manage.py': `import sys\n\ntry:\n    import ${name}\nexcept ImportError as error:\n    print("${world.say(`Cannot start: package ${name} is not installed in`, `Start nicht möglich: Das Paket ${name} ist nicht installiert in`)} " + sys.prefix)\n    sys.exit(3)\nprint("ok")\n`,
    Makefile: `serve:\n\t.venv/bin/python -m ${worker} service.${file}\n\ncheck:\n\t.venv/bin/python manage.py check\n`,
    [`../wheelhouse/${name}/__init__.py`]: '',
    [`../wheelhouse/${name}/core.py`]: 'def connect():\n    return "connected"\n',
  })
  world.commit()
  return {
    name: 'python-service',
    request: world.say(`Bring the service up and check it on port ${port}.`, `Bring den Dienst hoch und prüfe ihn auf Port ${port}.`),
    doors: [`.venv/bin/python -m service.${file}`, 'make check', 'python3 manage.py check', `python3 -c "from ${name} import core"`],
    after: [`wget -q -O - http://127.0.0.1:${port}/`, `curl -sS http://localhost:${port}/ready`, 'make serve'],
    repair: [`cp -r ../wheelhouse/${name} .venv/lib/python3*/site-packages/`, 'make check', `.venv/bin/python -m service.${file}`],
    done: world.say('The service connects.', 'Der Dienst verbindet sich.'),
  }
}

const perlConverter: SceneMaker = (world) => {
  const module = world.random.pick(['Text::Ledger', 'Spreadsheet::Reader', 'Geo::Track', 'Date::Holidays::Local'])
  const file = world.name('files')
  const path = `${module.replaceAll('::', '/')}.pm`
  world.files({
    [`bin/${file}.pl`]: `use strict;\nuse warnings;\nuse ${module};\n\nopen(my $out, '>', 'converted.txt') or die $!;\nprint $out "ok\\n";\n`,
    [`../perl/${path}`]: `package ${module};\n1;\n`,
  })
  world.commit()
  return {
    name: 'perl-converter',
    request: world.say(`Convert the data with bin/${file}.pl.`, `Konvertiere die Daten mit bin/${file}.pl.`),
    doors: [`perl -Ilib bin/${file}.pl`, `perl -Ilib -c bin/${file}.pl`],
    after: ['wc -c converted.txt', 'gzip -k converted.txt'],
    repair: ['mkdir -p lib && cp -r ../perl/* lib/', `perl -Ilib bin/${file}.pl`, 'cat converted.txt'],
    done: world.say('Converted.', 'Konvertiert.'),
  }
}

export const missingDependency: Cause = {
  tuning: [nodeBuild, pythonReport, nodeModules, pythonReport],
  'held-out': [nodeTool, pythonService, nodeWorkers, perlConverter, pythonService],
}
