// Maven, apt, corepack, CMake and other subcommands of npm and pip whose host does not accept connections.
import type { SceneMaker } from '../scene.ts'
import type { World } from '../world.ts'

const host = (world: World, port: number) => `http://${world.random.pick(['127.0.0.1', 'localhost', '127.0.0.3'])}:${port}`

const maven: SceneMaker = async (world) => {
  const [artifact, url] = [world.random.pick(['ledger-core', 'geo-model', 'invoice-xml', 'mail-template']), host(world, await world.port())]
  world.files({
    'pom.xml': `<project>\n  <modelVersion>4.0.0</modelVersion>\n  <groupId>org.example</groupId>\n  <artifactId>${world.project}</artifactId>\n  <version>${world.version()}</version>\n  <dependencies>\n    <dependency><groupId>org.example</groupId><artifactId>${artifact}</artifactId><version>2.1.0</version></dependency>\n  </dependencies>\n</project>\n`,
    '.mvn/maven.config': '-s\n.mvn/settings.xml\n-Dmaven.repo.local=../.m2/repository\n',
    '.mvn/settings.xml': `<settings><mirrors><mirror><id>nexus</id><mirrorOf>*</mirrorOf><url>${url}/repository/maven-public</url></mirror></mirrors></settings>\n`,
    'src/main/java/Main.java': 'public class Main {\n  public static void main(String[] given) {\n    System.out.println("ok");\n  }\n}\n',
    Makefile: 'package:\n\tmvn -B -q package\n',
  })
  world.commit()
  return {
    name: 'maven',
    request: world.say('Package the application and start the jar.', 'Paketiere die Anwendung und starte das Jar.'),
    doors: ['mvn -B package', 'mvn -B -q dependency:resolve', 'make package', 'mvn --batch-mode clean test'],
    after: [`java -jar target/${world.project}.jar`, 'ls target', 'java -cp target/classes Main', 'mvn -B -q -o package'],
    repair: ['javac -d target/classes src/main/java/Main.java', 'java -cp target/classes Main'],
    done: world.say(
      'Compiled without Maven, since Main needs no library yet.',
      'Ohne Maven übersetzt, da Main noch keine Bibliothek braucht.',
    ),
  }
}

const npmOthers: SceneMaker = async (world) => {
  const [name, url] = [world.name('nodePackages'), host(world, await world.port())]
  const version = world.version()
  const folder = `node_modules/${name}`
  world.files({
    '.npmrc': `registry=${url}/\n${url.slice('http:'.length)}/:_authToken=none\n`,
    'package.json': JSON.stringify({
      name: world.project,
      version,
      scripts: { check: `node -e "require('${name}')"` },
      dependencies: { [name]: '1.4.0' },
    }),
    'package-lock.json': JSON.stringify({
      name: world.project,
      version,
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': { name: world.project, version, dependencies: { [name]: '1.4.0' } },
        [folder]: { version: '1.4.0', resolved: `${url}/${name}/-/${name.replace(/^.*\//, '')}-1.4.0.tgz` },
      },
    }),
    [`../mirror/${name}/package.json`]: JSON.stringify({ name, version: '1.4.0' }),
    [`../mirror/${name}/index.js`]: '',
    '.gitignore': 'node_modules\n',
  })
  world.commit()
  return {
    name: 'npm-ci',
    request: world.say(
      'Do a clean install as in CI, then publish a new version.',
      'Installiere sauber wie in der CI und veröffentliche dann eine neue Version.',
    ),
    doors: [
      'npm ci',
      'npm publish',
      'npm audit --audit-level=high',
      `npm exec --yes -- ${name}@latest`,
      'npm ci --prefer-online --loglevel=warn',
    ],
    after: ['npm run check', `ls ${folder}`, `npm ls ${name}`, `npm view ${world.project} dist-tags`],
    repair: [`mkdir -p ${folder} && cp -r ../mirror/${name}/. ${folder}/`, 'npm run check'],
    done: world.say('Installed from the mirror; nothing was published.', 'Aus dem Spiegel installiert, veröffentlicht wurde nichts.'),
  }
}

const corepack: SceneMaker = async (world) => {
  const [url, manager] = [host(world, await world.port()), world.random.pick(['pnpm', 'yarn'])]
  const version = manager === 'pnpm' ? '8.15.4' : '1.22.19'
  world.files({
    'package.json': JSON.stringify({
      name: world.project,
      packageManager: `${manager}@${version}`,
      scripts: { setup: `corepack ${manager} install` },
    }),
    '.env': `COREPACK_NPM_REGISTRY=${url}\nCOREPACK_ENABLE_DOWNLOAD_PROMPT=0\nCOREPACK_INTEGRITY_KEYS=0\n`,
    'bootstrap.sh': `#!/bin/bash\nset -ae\n. ./.env\ncorepack ${manager} install\n`,
    [`../mirror/${manager}`]: '#!/bin/sh\necho "Done in 0.1s"\n',
  })
  world.setup(`chmod +x ../mirror/${manager}`)
  world.commit()
  return {
    name: 'corepack',
    request: world.say(`Set up the project with ${manager}.`, `Richte das Projekt mit ${manager} ein.`),
    doors: [
      'bash bootstrap.sh',
      `COREPACK_NPM_REGISTRY=${url} corepack prepare ${manager}@${version} --activate`,
      `COREPACK_NPM_REGISTRY=${url} COREPACK_ENABLE_DOWNLOAD_PROMPT=0 corepack ${manager} --version`,
      'set -a; . ./.env; npm run setup',
    ],
    after: [`${manager} --version`, 'ls node_modules/.bin', `../mirror/${manager}/bin install`],
    repair: [`../mirror/${manager} install`, 'node --version'],
    done: world.say(`Set up with the ${manager} of the mirror.`, `Mit ${manager} aus dem Spiegel eingerichtet.`),
  }
}

const apt: SceneMaker = async (world) => {
  const [name, url] = [world.random.pick(['libtariff-dev', 'nordfont', 'barcode-tools', 'geoindex']), host(world, await world.port())]
  const root = `${world.folder}/image`
  world.files({
    'image/sources.list': `deb [trusted=yes] ${url}/debian stable main\n`,
    'image/lists/partial/.keep': '',
    'image/cache/archives/partial/.keep': '',
    'apt.conf': `Dir::Etc::SourceList "${root}/sources.list";\nDir::Etc::SourceParts "/dev/null";\nDir::State::Lists "${root}/lists";\nDir::Cache "${root}/cache";\nAPT::Update::Error-Mode "any";\nAcquire::Retries "0";\nAcquire::Languages "none";\n`,
    'bootstrap.sh': `#!/bin/bash\nset -e\napt-get -c apt.conf -qq update\napt-get -c apt.conf -qq download ${name}\n`,
    Makefile: 'packages:\n\tapt-get -c apt.conf update\n',
    '../mirror/Packages': '',
  })
  world.commit()
  return {
    name: 'apt',
    request: world.say(`Refresh the package lists and download ${name}.`, `Aktualisiere die Paketlisten und lade ${name} herunter.`),
    doors: ['apt-get -c apt.conf update', 'bash bootstrap.sh', 'apt-get -c apt.conf -q update', 'make packages'],
    after: [`apt-get -c apt.conf download ${name}`, `apt-cache -c apt.conf show ${name}`, `dpkg-deb --info ${name}.deb`],
    repair: [`echo "deb [trusted=yes] file:$PWD/../mirror ./" > image/sources.list`, 'apt-get -c apt.conf update'],
    done: world.say('The lists come from the local mirror now.', 'Die Listen kommen jetzt aus dem lokalen Spiegel.'),
  }
}

const pipOthers: SceneMaker = async (world) => {
  const [name, file, url] = [world.name('pythonPackages'), world.name('files'), host(world, await world.port())]
  world.virtualEnvironment()
  world.files({
    'pyproject.toml': `[build-system]\nrequires = ["hatchling>=1.18"]\nbuild-backend = "hatchling.build"\n\n[project]\nname = "${world.project}"\nversion = "0.1"\ndependencies = ["${name}"]\n`,
    'requirements.txt': `${name}\n`,
    [`${file}.py`]: `import ${name}\n\nprint("ok")\n`,
    'setup.sh': `#!/bin/bash\nexport PIP_INDEX_URL=${url}/simple PIP_RETRIES=1\n/usr/bin/python3 -m pip --python .venv/bin/python install -q -r requirements.txt && touch installed\n`,
    [`../mirror/${name}/__init__.py`]: '',
  })
  world.commit()
  const pip = `PIP_INDEX_URL=${url}/simple PIP_RETRIES=1 /usr/bin/python3 -m pip`
  return {
    name: 'pip-build',
    request: world.say(
      `Install the project in editable mode and start ${file}.py.`,
      `Installiere das Projekt im Editiermodus und starte ${file}.py.`,
    ),
    doors: [
      `${pip} --python .venv/bin/python install -e .`,
      `${pip} wheel -q -w wheels -r requirements.txt`,
      'bash setup.sh',
      `${pip} index versions ${name}`,
    ],
    after: [`python3 ${file}.py`, 'ls wheels', `python3 -m ${name} --version`],
    repair: [`cp -r ../mirror/${name} .venv/lib/python3*/site-packages/`, `python3 ${file}.py`],
    done: world.say('It starts with the copy from the mirror.', 'Mit der Kopie aus dem Spiegel startet es.'),
  }
}

const vendored: SceneMaker = async (world) => {
  const [name, url] = [world.name('nodePackages').replace(/^@\w+\//, ''), host(world, await world.port())]
  const archive = `${name}-${world.version()}.tgz`
  world.files({
    'CMakeLists.txt': `cmake_minimum_required(VERSION 3.16)\nproject(vendor NONE)\nfile(DOWNLOAD ${url}/${name}/${archive} \${CMAKE_BINARY_DIR}/${archive} STATUS state)\nlist(GET state 0 code)\nif(NOT code EQUAL 0)\n  message(FATAL_ERROR "download of ${archive} failed: \${state}")\nendif()\n`,
    'tools/fetch.pl': `use strict;\nuse warnings;\nuse HTTP::Tiny;\n\nmy $answer = HTTP::Tiny->new->get('${url}/${name}/${archive}');\ndie "${world.say('download failed', 'Download fehlgeschlagen')}: $answer->{status} $answer->{content}" unless $answer->{success};\n`,
    'tools/Fetch.java': `import java.net.URI;\nimport java.net.http.HttpClient;\nimport java.net.http.HttpRequest;\nimport java.net.http.HttpResponse;\n\nclass Fetch {\n  public static void main(String[] given) throws Exception {\n    HttpRequest request = HttpRequest.newBuilder(URI.create("${url}/${name}")).build();\n    System.out.println(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body());\n  }\n}\n`,
    '.gitmodules': `[submodule "${name}"]\n\tpath = third_party/${name}\n\turl = ${url}/git/${name}.git\n`,
    [`../mirror/${name}/index.js`]: '',
    'vendor/.keep': '',
  })
  world.setup(`tar czf ../mirror/${archive} -C ../mirror ${name}`)
  world.commit()
  world.setup(
    `git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),third_party/${name} && git commit -qm submodule && mkdir -p third_party/${name}`,
  )
  return {
    name: 'vendored',
    request: world.say(
      `Fetch ${archive} and the submodules, then list vendor.`,
      `Hol ${archive} und die Submodule, dann liste vendor auf.`,
    ),
    doors: [
      `curl -fsSL ${url}/${name}/${archive} | tar xz -C vendor`,
      'cmake -S . -B build',
      'git submodule update --init',
      'perl tools/fetch.pl',
      'java tools/Fetch.java',
    ],
    after: [`ls vendor/${name}`, `node vendor/${name}/index.js`, `cat third_party/${name}/README.md`],
    repair: [`tar xzf ../mirror/${archive} -C vendor`, `ls vendor/${name}`],
    done: world.say('Taken from the mirror.', 'Aus dem Spiegel übernommen.'),
  }
}

export const registryRefused: readonly SceneMaker[] = [npmOthers, pipOthers, maven, vendored, apt, corepack]
