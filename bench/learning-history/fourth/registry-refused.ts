// The registry, the index or the host of downloads is down: nothing accepts connections there.
import { denial } from '../denial.ts'
import type { World } from '../world.ts'
import type { DayMaker } from './day.ts'
import { python } from './tools.ts'

const host = async (world: World) => `http://${world.random.pick(['127.0.0.1', 'localhost', '127.0.0.4'])}:${await world.port()}`

const asked = (world: World, command: string) =>
  ({ refused: 'shell.exec', arguments: { command }, failure: denial(world, 'shell.exec', command) }) as const

const npmProject: DayMaker = async (world) => {
  const [url, name, file] = [await host(world), world.name('nodePackages'), world.name('files')]
  world.files({
    '.npmrc': `registry=${url}/\n`,
    'package.json': JSON.stringify({
      name: world.project,
      scripts: { build: `node build.js` },
      dependencies: { [name]: '^3.1.0' },
      devDependencies: { vitest: '^3.0.0' },
    }),
    'build.js': `require('${name}')\nrequire('node:fs').writeFileSync('${file}.out', 'ok')\n`,
    [`../backup/node_modules/${name}/package.json`]: JSON.stringify({ name, version: '3.1.1' }),
    [`../backup/node_modules/${name}/index.js`]: '',
    '.gitignore': 'node_modules\n',
  })
  world.commit()
  return {
    name: 'install-and-build',
    request: world.say('Install everything and build.', 'Installiere alles und baue das Projekt.'),
    doors: ['npm install', `npm install ${name}`, 'npm i --no-audit --no-fund', 'npm update'],
    looks: [{ read: '.npmrc' }, 'npm config get registry', 'cat package.json', `curl -sSI ${url}/`],
    tries: [
      ['npm cache clean --force', 'npm install'],
      ['rm -f package-lock.json', 'npm install --prefer-offline'],
      ['npm ping'],
      [asked(world, 'npm config set registry https://registry.example.org/')],
      ['npm install --offline'],
    ],
    after: ['npm run build', `cat ${file}.out`, `npm ls ${name}`],
    repair: ['cp -r ../backup/node_modules .', 'npm run build'],
    done: world.say('Built with the modules from the backup.', 'Mit den Modulen aus der Sicherung gebaut.'),
  }
}

const pipProject: DayMaker = async (world) => {
  const [url, name, file] = [await host(world), world.name('pythonPackages'), world.name('files')]
  python(world, [], `${url}/simple`)
  world.files({
    'requirements.txt': `${name}==2.${world.random.integer(0, 9)}.1\npytest\n`,
    [`${file}.py`]: `import ${name}\n\nprint("ready")\n`,
    Makefile: 'setup:\n\tpip install -r requirements.txt\n',
    [`../wheelhouse/${name}/__init__.py`]: '',
  })
  world.commit()
  return {
    name: 'new-environment',
    request: world.say(`Set up the environment and start ${file}.py.`, `Richte die Umgebung ein und starte ${file}.py.`),
    doors: ['pip install -r requirements.txt', `pip install ${name}`, 'make setup', 'pip install --upgrade pip setuptools'],
    looks: [{ read: 'requirements.txt' }, 'pip config list', 'pip --version', `curl -sS ${url}/simple/`],
    tries: [
      [`pip install --no-cache-dir ${name}`],
      [`pip download ${name}`],
      [{ edit: 'requirements.txt', old: 'pytest\n', new: '' }, 'pip install -r requirements.txt'],
      [asked(world, `pip install --index-url https://pypi.example.org/simple ${name}`)],
      ['sleep 1', `pip install --retries 1 ${name}`],
    ],
    after: [`python ${file}.py`, 'python -m pytest'],
    repair: [`cp -r ../wheelhouse/${name} .venv/lib/python3*/site-packages/`, `python ${file}.py`],
    done: world.say('It starts with the package from the wheelhouse.', 'Mit dem Paket aus dem Wheelhouse startet es.'),
  }
}

const lockedCi: DayMaker = async (world) => {
  const [url, name, version] = [await host(world), world.name('nodePackages'), world.version()]
  const resolved = `${url}/${name}/-/${name.replace(/^.*\//, '')}-${version}.tgz`
  world.files({
    '.npmrc': `registry=${url}/\n`,
    'package.json': JSON.stringify({
      name: world.project,
      version: '1.0.0',
      scripts: { test: `node -e "require('${name}')"`, ci: 'npm ci && npm test' },
      dependencies: { [name]: version },
    }),
    'package-lock.json': JSON.stringify({
      name: world.project,
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': { name: world.project, version: '1.0.0', dependencies: { [name]: version } },
        [`node_modules/${name}`]: { version, resolved },
      },
    }),
    'ci.sh': `#!/bin/bash\nset -e\necho "${world.say('Installing', 'Installiere')}"\nnpm ci --silent || { echo "${world.say('npm ci failed', 'npm ci fehlgeschlagen')}"; npm ci; }\nnpm test\n`,
    [`../backup/node_modules/${name}/package.json`]: JSON.stringify({ name, version }),
    [`../backup/node_modules/${name}/index.js`]: '',
  })
  world.commit()
  return {
    name: 'red-pipeline',
    request: world.say(
      'The pipeline is red. Reproduce it here and make it green.',
      'Die Pipeline ist rot. Stell sie hier nach und mach sie grün.',
    ),
    doors: ['npm ci', 'npm run ci', 'bash ci.sh', `npm view ${name} versions --json`],
    looks: [{ read: '.npmrc' }, 'npm config get registry', { read: 'ci.sh' }],
    tries: [['npm ci --prefer-offline'], ['npm cache verify', 'npm ci'], ['rm -rf node_modules', 'npm install'], ['npm ping']],
    after: ['npm test', `ls node_modules/${name}`],
    repair: ['cp -r ../backup/node_modules .', 'npm test'],
    done: world.say('It is green with the modules of the backup.', 'Mit den Modulen der Sicherung ist sie grün.'),
  }
}

const modelFile: DayMaker = async (world) => {
  const [url, file] = [await host(world), `${world.name('files')}.bin`]
  python(world, ['requests'])
  world.files({
    'download.py': `import requests\n\nanswer = requests.get("${url}/artifacts/${file}", timeout=10)\nanswer.raise_for_status()\nopen("models/${file}", "wb").write(answer.content)\n`,
    'download.mjs': `const answer = await fetch('${url}/artifacts/${file}')\nconsole.log(answer.status)\n`,
    'models/.keep': '',
    [`../mirror/${file}`]: 'model\n',
  })
  world.commit()
  return {
    name: 'model-file',
    request: world.say(`Download ${file} from our package host and load it.`, `Lade ${file} von unserem Paketserver und öffne es.`),
    doors: [
      'python download.py',
      'node download.mjs',
      `curl -fL -o models/${file} ${url}/artifacts/${file}`,
      `wget -O models/${file} --tries=1 ${url}/artifacts/${file}`,
    ],
    looks: [{ read: 'download.py' }, `curl -sS -o /dev/null -w '%{http_code}' ${url}/`, 'ls models', 'env | grep -i proxy'],
    tries: [
      [`curl --retry 2 --retry-connrefused --retry-delay 1 -sSf ${url}/artifacts/${file} -o models/${file}`],
      [{ edit: 'download.py', old: 'timeout=10', new: 'timeout=60' }, 'python download.py'],
      [`python -c "import requests; print(requests.head('${url}').status_code)"`],
    ],
    after: [`sha256sum models/${file}`, `python -c "print(len(open('models/${file}', 'rb').read()))"`],
    repair: [`cp ../mirror/${file} models/`, `sha256sum models/${file}`],
    done: world.say('Taken from the mirror.', 'Aus dem Spiegel geholt.'),
  }
}

const postinstall: DayMaker = async (world) => {
  const [url, name] = [await host(world), world.random.pick(['chromium-bin', 'native-sass', 'sharp-prebuilt', 'engine-binary'])]
  world.files({
    'package.json': JSON.stringify({ name: world.project, scripts: { postinstall: 'node tools/fetch-binary.js', start: `./bin/${name}` } }),
    'tools/fetch-binary.js': `const http = require('node:http')\n\nconsole.log('${world.say('Downloading', 'Lade')} ${name} ...')\nhttp.get('${url}/${name}/linux-arm64.tar.gz', (answer) => console.log(answer.statusCode)).on('error', (error) => {\n  console.error('${world.say(`Failed to download ${name}`, `${name} konnte nicht geladen werden`)}', error)\n  process.exit(1)\n})\n`,
    'install.sh': `#!/bin/bash\nset -euo pipefail\ncurl -fsSL ${url}/install/${name}.sh | bash\n`,
    [`../mirror/${name}`]: '#!/bin/sh\necho started\n',
  })
  world.setup(`chmod +x ../mirror/${name}`)
  world.commit()
  return {
    name: 'binary-download',
    request: world.say('Install the project with its binary and start it.', 'Installiere das Projekt samt Binärdatei und starte es.'),
    doors: ['npm install', 'bash install.sh', `curl -fsSL ${url}/install/${name}.sh -o install-${name}.sh`, 'node tools/fetch-binary.js'],
    looks: [{ read: 'package.json' }, { read: 'tools/fetch-binary.js' }, 'ls bin'],
    tries: [
      ['npm install --ignore-scripts', `npm start`],
      ['npm rebuild'],
      ['node tools/fetch-binary.js'],
      [`wget -q --tries=1 ${url}/install/${name}.sh`],
    ],
    after: ['npm start', `./bin/${name} --version`],
    repair: [`mkdir -p bin && cp ../mirror/${name} bin/`, 'npm start'],
    done: world.say('Started with the binary from the mirror.', 'Mit der Datei aus dem Spiegel gestartet.'),
  }
}

const latestVersions: DayMaker = async (world) => {
  const [url, name] = [await host(world), world.name('nodePackages')]
  const python_ = world.name('pythonPackages')
  python(world, [], `${url}/simple`)
  world.files({
    '.npmrc': `registry=${url}/\n`,
    'package.json': JSON.stringify({ name: world.project, version: '0.1.0', dependencies: { [name]: '^1.0.0' } }),
    '../mirror/versions.json': JSON.stringify({ [name]: '4.2.0' }),
  })
  world.commit()
  return {
    name: 'upgrade-check',
    request: world.say(`Is there a newer ${name}? Upgrade if so.`, `Gibt es ein neueres ${name}? Dann aktualisiere.`),
    doors: [`npm install ${name}@latest`, `npm view ${name} version`, `pip install -U ${python_}`, `npx --yes npm-check-updates`],
    looks: ['npm config list', { read: '.npmrc' }, `npm ls ${name}`],
    tries: [
      ['npm outdated', 'npm ping'],
      [`npm info ${name} dist-tags`],
      [`curl -sS ${url}/${name.replace('/', '%2f')}`],
      [asked(world, `npm view ${name} version --registry https://registry.example.org`)],
    ],
    after: [`npm ls ${name}@4`, `jq -e '.packages | length > 1' package-lock.json`],
    repair: [`jq -r '."${name}"' ../mirror/versions.json`],
    done: world.say('4.2.0, according to the mirror.', 'Laut Spiegel 4.2.0.'),
  }
}

export const registryRefused: readonly DayMaker[] = [npmProject, pipProject, modelFile, lockedCi, latestVersions, postinstall]
