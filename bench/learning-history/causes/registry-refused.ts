// The host that packages come from does not accept connections.
import type { Cause, SceneMaker } from '../scene.ts'
import type { World } from '../world.ts'

const host = (world: World, port: number) => `http://${world.random.pick(['127.0.0.1', 'localhost', '127.0.0.2'])}:${port}`

const npmInstall: SceneMaker = async (world) => {
  const [name, file, url] = [world.name('nodePackages'), world.name('files'), host(world, await world.port())]
  const version = world.version()
  world.files({
    '.npmrc': `registry=${url}/\n`,
    'package.json': JSON.stringify({ name: world.project, scripts: { build: `node src/${file}.js` }, dependencies: { [name]: version } }),
    [`src/${file}.js`]: `const used = require('${name}')\nconsole.log(typeof used)\n`,
    [`../mirror/${name}/package.json`]: JSON.stringify({ name, version }),
    [`../mirror/${name}/index.js`]: 'module.exports = {}\n',
  })
  world.commit()
  return {
    name: 'npm-install',
    request: world.say('Install the dependencies and build the project.', 'Installiere die Abhängigkeiten und baue das Projekt.'),
    doors: ['npm install', `npm install ${name}@${version}`, `npm view ${name} version`, 'npm install --no-audit --loglevel=error'],
    after: ['npm run build', `node src/${file}.js`, `npm ls ${name}`, { list: 'node_modules' }],
    repair: [`npm install --no-save --offline ../mirror/${name}`, 'npm run build'],
    done: world.say(
      'Installed from the mirror on this computer; the build works.',
      'Aus dem lokalen Spiegel installiert, der Build läuft.',
    ),
  }
}

const pipInstall: SceneMaker = async (world) => {
  const [name, file, url] = [world.name('pythonPackages'), world.name('files'), host(world, await world.port())]
  world.virtualEnvironment()
  world.files({
    'requirements.txt': `${name}>=1.${world.random.integer(0, 9)}\n`,
    [`${file}.py`]: `import ${name}\n\nprint(${name}.__name__)\n`,
    [`../mirror/${name}/__init__.py`]: '',
  })
  world.commit()
  const pip = `/usr/bin/python3 -m pip --python .venv/bin/python`
  return {
    name: 'pip-install',
    request: world.say(`Set up the virtual environment and run ${file}.py.`, `Richte die virtuelle Umgebung ein und starte ${file}.py.`),
    doors: [
      `${pip} install --retries 1 --index-url ${url}/simple -r requirements.txt`,
      `${pip} install --retries 1 -i ${url}/simple ${name}`,
      `PIP_INDEX_URL=${url}/simple PIP_RETRIES=1 ${pip} install ${name}`,
    ],
    after: [`.venv/bin/python ${file}.py`, `python3 -c "import ${name}; print(${name}.__file__)"`],
    repair: [`cp -r ../mirror/${name} .venv/lib/python3*/site-packages/`, `.venv/bin/python ${file}.py`],
    done: world.say('It runs with the copy from the mirror.', 'Es läuft mit der Kopie aus dem Spiegel.'),
  }
}

const curlPackage: SceneMaker = async (world) => {
  const [name, url] = [world.name('nodePackages').replace(/^@\w+\//, ''), host(world, await world.port())]
  const archive = `${name}-${world.version()}.tgz`
  world.files({ '../mirror/package/index.js': 'module.exports = 1\n', 'vendor/.keep': '' })
  world.setup(`tar czf ../mirror/${archive} -C ../mirror package`)
  world.commit()
  return {
    name: 'curl-package',
    request: world.say(`Download ${archive} and unpack it into vendor.`, `Lade ${archive} herunter und entpacke es nach vendor.`),
    doors: [
      `curl -fsSL ${url}/${name}/-/${archive} -o vendor/${archive}`,
      `curl -O ${url}/${name}/-/${archive}`,
      `curl -sS --retry 1 ${url}/${name}`,
    ],
    after: [`tar xzf vendor/${archive} -C vendor`, 'node vendor/package/index.js', `sha256sum vendor/${archive}`],
    repair: [`cp ../mirror/${archive} vendor/`, `tar xzf vendor/${archive} -C vendor`, 'node vendor/package/index.js'],
    done: world.say('It is unpacked in vendor.', 'Es ist nach vendor entpackt.'),
  }
}

const wgetPackage: SceneMaker = async (world) => {
  const [name, url] = [world.name('pythonPackages'), host(world, await world.port())]
  const wheel = `${name}-${world.version()}-py3-none-any.whl`
  world.files({ [`../mirror/${wheel}`]: 'PK', 'wheels/.keep': '' })
  world.commit()
  return {
    name: 'wget-wheel',
    request: world.say(
      `Fetch the wheel of ${name} from our package host and list what is in it.`,
      `Hol das Wheel von ${name} von unserem Paketserver und zeig den Inhalt.`,
    ),
    doors: [
      `wget --tries=1 -P wheels ${url}/packages/${wheel}`,
      `wget -nv --tries=1 ${url}/simple/${name}/`,
      `/usr/bin/python3 -m pip download --no-deps --retries 1 -d wheels -i ${url}/simple ${name}`,
    ],
    after: [`unzip -l wheels/${wheel}`, `python3 -m zipfile -l wheels/${wheel}`],
    repair: [`cp ../mirror/${wheel} wheels/`, 'ls wheels'],
    done: world.say('The wheel is in wheels.', 'Das Wheel liegt in wheels.'),
  }
}

const gitDependency: SceneMaker = async (world) => {
  const [name, url] = [world.name('nodePackages').replace(/^@\w+\//, ''), host(world, await world.port())]
  world.setup(`git init -q --bare ../mirror-${name}.git`)
  world.files({ 'package.json': JSON.stringify({ name: world.project, scripts: { start: `node lib/${name}/index.js` } }) })
  world.commit()
  world.setup(`git remote add upstream ${url}/team/${name}.git`)
  return {
    name: 'git-dependency',
    request: world.say(
      `Clone ${name} from the package host into lib and start it.`,
      `Klone ${name} vom Paketserver nach lib und starte es.`,
    ),
    doors: [
      `git clone ${url}/team/${name}.git lib/${name}`,
      'git fetch upstream',
      `git ls-remote ${url}/team/${name}.git`,
      `git submodule add ${url}/team/${name}.git lib/${name}`,
    ],
    after: [`cd lib/${name} && git log -1`, 'npm start', `git merge upstream/main`],
    repair: [`git clone ../mirror-${name}.git lib/${name}`],
    done: world.say('Cloned from the mirror.', 'Aus dem Spiegel geklont.'),
  }
}

const scripted: SceneMaker = async (world) => {
  const [name, url] = [world.name('nodePackages'), host(world, await world.port())]
  const message = world.say('The package index cannot be reached', 'Der Paketindex ist nicht erreichbar')
  world.files({
    'tools/latest.mjs': `const answer = await fetch('${url}/${name}')\nconst { version } = await answer.json()\nconsole.log(version)\n`,
    'tools/latest.py': `import json\nimport urllib.request\n\nwith urllib.request.urlopen("${url}/${name}") as answer:\n    print(json.load(answer)["version"])\n`,
    'tools/update.py': `import sys\nimport urllib.error\nimport urllib.request\n\ntry:\n    urllib.request.urlopen("${url}/${name}")\nexcept urllib.error.URLError as error:\n    sys.exit(f"${message}: {error.reason}")\n`,
    'package.json': JSON.stringify({ name: world.project, scripts: { outdated: 'node tools/latest.mjs > latest.txt' } }),
    '.npmrc': `registry=${url}\n`,
    [`../mirror/${name.replaceAll('/', '-')}.json`]: '{"version":"3.1.4"}\n',
  })
  world.commit()
  return {
    name: 'scripted',
    request: world.say(`Find the latest version of ${name} on our registry.`, `Finde die neueste Version von ${name} in unserer Registry.`),
    doors: ['node tools/latest.mjs', 'python3 tools/latest.py', 'python3 tools/update.py', 'npm run outdated', 'npm ping'],
    after: ['grep -E "^[0-9]" latest.txt', `npm install --offline ${name}@latest`, `jq -r .version latest.json`],
    repair: [`jq -r .version ../mirror/${name.replaceAll('/', '-')}.json`],
    done: world.say('According to the mirror it is 3.1.4.', 'Laut Spiegel ist es 3.1.4.'),
  }
}

export const registryRefused: Cause = {
  tuning: [npmInstall, pipInstall, curlPackage, npmInstall],
  'held-out': [wgetPackage, gitDependency, scripted, scripted],
}
