// After a clone, a pull or a new computer: packages and tools that nobody has installed yet.
import { denial } from '../denial.ts'
import type { World } from '../world.ts'
import type { DayMaker } from './day.ts'
import { emptyIndex, nodeTools, python } from './tools.ts'

const refused = (world: World, command: string) =>
  ({ refused: 'shell.exec', arguments: { command }, failure: denial(world, 'shell.exec', command) }) as const

const collecting: DayMaker = async (world) => {
  const [name, file] = [world.name('pythonPackages'), world.name('files')]
  python(world, ['pytest'], `http://127.0.0.1:${await emptyIndex(world)}/simple`)
  world.files({
    'requirements.txt': 'pytest\n',
    [`app/${file}.py`]: `import ${name}\n\n\ndef rows():\n    return [1]\n`,
    'app/__init__.py': '',
    [`tests/test_${file}.py`]: `from app.${file} import rows\n\n\ndef test_rows():\n    assert rows() == [1]\n`,
    'tests/__init__.py': '',
    [`../wheelhouse/${name}/__init__.py`]: '',
  })
  world.commit()
  return {
    name: 'pytest-after-pull',
    request: world.say(
      'I just pulled. Run the tests and tell me the coverage.',
      'Ich habe gerade gepullt. Lass die Tests laufen und nenne mir die Abdeckung.',
    ),
    doors: ['pytest', `pytest -x tests/test_${file}.py`, `python -c "from app.${file} import rows; print(rows())"`, 'python -m pytest -q'],
    looks: [{ read: 'requirements.txt' }, { read: `app/${file}.py` }, 'pip list'],
    tries: [
      ['pip install -r requirements.txt'],
      [`pip install ${name}`],
      [{ edit: 'requirements.txt', old: 'pytest\n', new: `pytest\n${name}\n` }, 'pip install -r requirements.txt'],
      [`/usr/bin/python3 -m pip install --no-index ${name}`],
    ],
    after: ['cat coverage.xml', 'python -m coverage report'],
    repair: [`cp -r ../wheelhouse/${name} .venv/lib/python3*/site-packages/`, 'pytest -q'],
    done: world.say('The tests pass with the package from the wheelhouse.', 'Mit dem Paket aus dem Wheelhouse laufen die Tests.'),
  }
}

const freshClone: DayMaker = async (world) => {
  const [name, file, port] = [
    world.random.pick(['express', 'axios', 'cors', 'winston', '@brise/ui']),
    world.name('files'),
    await world.port(),
  ]
  const index = `http://127.0.0.1:${await emptyIndex(world)}/`
  world.files({
    'package.json': JSON.stringify({
      name: world.project,
      scripts: { start: 'node server.js', seed: `node scripts/${file}.mjs` },
      dependencies: { [name]: '^4.0.0' },
    }),
    '.npmrc': `registry=${index}\n`,
    'server.js': `const lib = require('${name}')\n\nrequire('node:http').createServer((q, s) => s.end(typeof lib)).listen(${port}, '127.0.0.1')\n`,
    [`scripts/${file}.mjs`]: `import lib from '${name}'\n\nconsole.log(typeof lib)\n`,
    [`../backup/node_modules/${name}/package.json`]: JSON.stringify({ name, version: '4.1.0', main: 'index.js' }),
    [`../backup/node_modules/${name}/index.js`]: 'module.exports = {}\n',
    '.gitignore': 'node_modules\n',
  })
  world.commit()
  return {
    name: 'fresh-clone',
    request: world.say(
      'Cloned on my new laptop. Start the server and open the home page.',
      'Frisch geklont auf dem neuen Laptop. Starte den Server und ruf die Startseite auf.',
    ),
    doors: ['npm start', `npm run seed`, 'node server.js', `node scripts/${file}.mjs`],
    looks: [{ read: 'package.json' }, 'ls node_modules', { read: 'server.js' }],
    tries: [
      ['npm install'],
      [`npm install ${name}`],
      ['npm ci'],
      ['npm cache verify'],
      [refused(world, 'npm install --registry https://registry.example.org')],
    ],
    after: [`curl -sS http://localhost:${port}/`, `curl -fsS http://127.0.0.1:${port}/health`],
    repair: ['cp -r ../backup/node_modules .', 'npm run seed'],
    done: world.say('It starts with the modules from the backup.', 'Mit den Modulen aus der Sicherung startet es.'),
  }
}

const typescript: DayMaker = async (world) => {
  const [name, file] = [world.random.pick(['zod', 'lodash', 'react', '@types/express', 'vue']), world.name('files')]
  nodeTools(world, ['typescript'])
  const imported = name.replace('@types/', '')
  world.files({
    'package.json': JSON.stringify({
      name: world.project,
      type: 'module',
      scripts: { build: 'tsc -p .', typecheck: 'tsc --noEmit' },
      dependencies: { [name]: '*' },
    }),
    'tsconfig.json': JSON.stringify({
      compilerOptions: { strict: true, target: 'es2022', module: 'nodenext', outDir: 'dist', noEmitOnError: true },
      include: ['src'],
    }),
    '.npmrc': `registry=http://127.0.0.1:${await emptyIndex(world)}/\n`,
    [`src/${file}.ts`]: `import * as lib from '${imported}'\n\nexport const keys: string[] = Object.keys(lib)\nconsole.log(keys.length)\n`,
    [`../backup/${imported}/package.json`]: JSON.stringify({ name: imported, version: '3.0.0', main: 'index.js', types: 'index.d.ts' }),
    [`../backup/${imported}/index.js`]: 'exports.parse = () => 1\n',
    [`../backup/${imported}/index.d.ts`]: 'export declare const parse: () => number\n',
  })
  world.commit()
  return {
    name: 'typescript-build',
    request: world.say('Build the project and run the result.', 'Baue das Projekt und führe das Ergebnis aus.'),
    doors: ['npm run build', 'npm run typecheck', 'npx tsc --noEmit', 'npx tsc -p . --pretty false'],
    looks: [{ read: 'package.json' }, { read: 'tsconfig.json' }, `ls node_modules/${imported}`],
    tries: [
      [`npm install ${name}`],
      [`npm install -D @types/${imported}`],
      [{ edit: 'tsconfig.json', old: '"strict":true', new: '"strict":true,"skipLibCheck":true' }],
      [{ edit: 'tsconfig.json', old: '"module":"nodenext"', new: '"module":"preserve"' }],
    ],
    after: [`node dist/${file}.js`, { read: `dist/${file}.js` }],
    repair: [`cp -r ../backup/${imported} node_modules/`, 'npm run build', `node dist/${file}.js`],
    done: world.say('Built; it prints one key.', 'Gebaut, es gibt einen Schlüssel aus.'),
  }
}

const unresolved: DayMaker = async (world) => {
  const [name, file] = [world.random.pick(['jsonwebtoken', 'bcryptjs', 'socket.io-client', 'dayjs-business']), world.name('files')]
  nodeTools(world, ['vitest', 'vite'])
  world.files({
    'package.json': JSON.stringify({ name: world.project, type: 'module', scripts: { test: 'vitest run', build: 'vite build' } }),
    'index.html': `<script type="module" src="/src/${file}.js"></script>\n`,
    '.npmrc': `registry=http://127.0.0.1:${await emptyIndex(world)}/\n`,
    [`src/${file}.js`]: `import lib from '${name}'\n\nexport const kind = () => typeof lib\nconsole.log(kind())\n`,
    [`src/${file}.test.js`]: `import { expect, test } from 'vitest'\nimport { kind } from './${file}.js'\n\ntest('${world.say('has a kind', 'hat eine Art')}', () => expect(kind()).toBe('object'))\n`,
    [`../backup/${name}/package.json`]: JSON.stringify({ name, version: '2.0.0', main: 'index.js', type: 'module' }),
    [`../backup/${name}/index.js`]: 'export default {}\n',
  })
  world.commit()
  return {
    name: 'bundler-import',
    request: world.say(
      'Test and build the frontend after the merge from yesterday.',
      'Teste und baue das Frontend nach dem Merge von gestern.',
    ),
    doors: ['npm test', 'npx vitest run', 'npm run build', 'npx vite build'],
    looks: [{ read: `src/${file}.js` }, { read: 'package.json' }, 'git log -3 --stat'],
    tries: [
      [`npm install ${name}`],
      [
        { edit: `src/${file}.js`, old: `'${name}'`, new: `'${name}/index.js'` },
        { edit: `src/${file}.js`, old: `'${name}/index.js'`, new: `'${name}'` },
      ],
      [`npm install --save ${name}@latest`],
    ],
    after: ['ls dist/assets', 'npx vite preview --help | grep -q nothing', 'tar czf dist.tgz dist'],
    repair: [`cp -r ../backup/${name} node_modules/`, 'npm test'],
    done: world.say('Tests and build work again.', 'Tests und Build gehen wieder.'),
  }
}

const scriptTools: DayMaker = async (world) => {
  const [tool, file] = [world.random.pick(['vite', 'eslint', 'tsc', 'nodemon', 'next', 'jest']), world.name('files')]
  world.files({
    'package.json': JSON.stringify({
      name: world.project,
      scripts: { dev: `${tool} --open`, lint: `${tool} src`, ci: `npm run lint && touch ci-ok` },
    }),
    '.npmrc': `registry=http://127.0.0.1:${await emptyIndex(world)}/\n`,
    [`src/${file}.js`]: 'export {}\n',
    [`../backup/${tool}/package.json`]: JSON.stringify({ name: tool, version: '9.0.0', bin: { [tool]: 'cli.js' } }),
    [`../backup/${tool}/cli.js`]: '#!/usr/bin/env node\nconsole.log("0 problems")\n',
  })
  world.commit()
  return {
    name: 'script-tools',
    request: world.say('Run the checks of the CI here.', 'Führe die Prüfungen der CI hier aus.'),
    doors: ['npm run lint', 'npm run dev', 'npm run ci'],
    looks: [{ read: 'package.json' }, 'ls node_modules/.bin', 'npm run'],
    tries: [
      [`npm install -D ${tool}`],
      [`npm install`, `npm run lint`],
      [`npx --no-install ${tool} src`],
      [refused(world, `npm install -g ${tool}`)],
    ],
    after: ['ls ci-ok', 'git add ci-ok'],
    repair: [`npm install --offline --no-save ../backup/${tool}`, 'npm run ci'],
    done: world.say('The checks pass.', 'Die Prüfungen sind grün.'),
  }
}

const missingProgram: DayMaker = (world) => {
  const tool = world.random.pick(['docker', 'kubectl', 'terraform', 'ffmpeg', 'convert', 'wkhtmltopdf'])
  world.files({
    'scripts/release.sh': `#!/bin/bash\nset -euo pipefail\necho "${world.say('Preparing', 'Bereite vor')} ${world.project}"\n${tool} --version > release.txt\n`,
    Makefile: `image:\n\t${tool} --version > release.txt\n`,
    [`../tools/bin/${tool}`]: `#!/bin/sh\necho "${tool} 24.0"\n`,
  })
  world.setup(`chmod +x ../tools/bin/${tool}`)
  world.commit()
  return {
    name: 'missing-program',
    request: world.say(
      'Prepare the release; the notes go to release.txt.',
      'Bereite die Auslieferung vor, die Notizen kommen in release.txt.',
    ),
    doors: [`${tool} --version`, 'bash scripts/release.sh', 'make image', `./scripts/release.sh || bash scripts/release.sh`],
    looks: [{ read: 'scripts/release.sh' }, `which -a ${tool}`, 'echo $PATH', { read: 'Makefile' }],
    tries: [
      [refused(world, `sudo apt-get install -y ${tool}`)],
      [`ls /usr/bin/${tool} /usr/local/bin/${tool}`],
      [`hash -r && ${tool} version`],
      [`/usr/bin/${tool} --version`],
    ],
    after: ['grep -q [0-9] release.txt', 'git add release.txt && git commit -qm release release.txt'],
    repair: ['PATH="$PWD/../tools/bin:$PATH" bash scripts/release.sh', 'test -s release.txt'],
    done: world.say('Prepared with the program in ../tools.', 'Mit dem Programm aus ../tools vorbereitet.'),
  }
}

const webApp: DayMaker = async (world) => {
  const [name, port] = [world.random.pick(['flask_sqlalchemy', 'dotenv', 'stripe', 'sentry_sdk', 'celery']), await world.port()]
  const german = world.say('Could not start the job', 'Der Auftrag konnte nicht gestartet werden')
  python(world, ['flask'], `http://127.0.0.1:${await emptyIndex(world)}/simple`)
  world.files({
    'app.py': `import ${name}\nfrom flask import Flask\n\napp = Flask(__name__)\n\n\n@app.get("/")\ndef home():\n    return "ok"\n\n\n@app.cli.command("sync")\ndef sync():\n    print("synced")\n`,
    'manage.py': 'from app import app\n\nprint(app.name)\n',
    'jobs.py': `import sys\n\ntry:\n    from app import app\nexcept ImportError as error:\n    sys.exit(f"${german}: {error}")\n`,
    'requirements.txt': `flask\n${name}\n`,
    [`../wheelhouse/${name}/__init__.py`]: '',
  })
  world.commit()
  return {
    name: 'flask-extension',
    request: world.say('Start the app and run the sync command.', 'Starte die App und führe den sync-Befehl aus.'),
    doors: [`flask run --port ${port}`, 'python manage.py', 'python jobs.py', 'flask sync'],
    looks: [{ read: 'app.py' }, { read: 'requirements.txt' }, 'pip list'],
    tries: [
      ['pip install -r requirements.txt'],
      [`pip install ${name.replace('_', '-')}`],
      [`pip show ${name}`],
      ['deactivate 2> /dev/null; . .venv/bin/activate 2> /dev/null && python manage.py'],
    ],
    after: [`curl -fsS http://127.0.0.1:${port}/`, 'flask routes'],
    repair: [`cp -r ../wheelhouse/${name} .venv/lib/python3*/site-packages/`, 'python manage.py'],
    done: world.say('The app starts now.', 'Die App startet jetzt.'),
  }
}

export const missingDependency: readonly DayMaker[] = [collecting, freshClone, typescript, unresolved, scriptTools, missingProgram, webApp]
