// Headers, classes, shared libraries, tools and packages that are not installed.
import type { SceneMaker } from '../scene.ts'

const cHeader: SceneMaker = (world) => {
  const [library, name] = [world.random.pick(['hiredis', 'cmocka', 'sodium', 'microhttpd', 'cjson']), world.name('files')]
  world.files({
    [`src/${name}.c`]: `#include <stdio.h>\n#include <${library}.h>\n\nint main(void) {\n  puts("${world.project}");\n  return 0;\n}\n`,
    Makefile: `${name}: src/${name}.c\n\tgcc -Iinclude -o ${name} src/${name}.c\n`,
    'CMakeLists.txt': `cmake_minimum_required(VERSION 3.16)\nproject(${name} C)\nfind_package(${library} REQUIRED)\nadd_executable(${name} src/${name}.c)\n`,
    [`../sdk/include/${library}.h`]: '#pragma once\n',
    'tools/link.c': 'int main(void) { return 0; }\n',
  })
  world.commit()
  return {
    name: 'c-header',
    request: world.say(`Compile ${name} and show me what it prints.`, `Übersetze ${name} und zeig mir, was es ausgibt.`),
    doors: [
      'make',
      `cmake -S . -B build`,
      `gcc tools/link.c -o ${name}-link -l${library}`,
      `pkg-config --cflags --libs lib${library}`,
      `gcc -O2 -c src/${name}.c`,
    ],
    after: [`./${name}`, `strip ${name}`, `cmake --build build`, `cp ${name} /var/tmp/`],
    repair: ['mkdir -p include && cp ../sdk/include/*.h include/', 'make', `./${name}`],
    done: world.say('It compiles with the header from the SDK.', 'Mit dem Header aus dem SDK lässt es sich übersetzen.'),
  }
}

const javaLibrary: SceneMaker = (world) => {
  const [group, type] = world.random.pick([
    ['com.google.gson', 'Gson'],
    ['org.joda.time', 'LocalDate'],
    ['org.apache.commons.csv', 'CSVFormat'],
    ['org.postgresql', 'Driver'],
  ] as const)
  world.files({
    'src/Main.java': `import ${group}.${type};\n\nclass Main {\n  public static void main(String[] given) {\n    System.out.println(new ${type}().getClass().getName());\n  }\n}\n`,
    'src/Loader.java': `class Loader {\n  public static void main(String[] given) throws Exception {\n    Class.forName("${group}.${type}");\n    System.out.println("${world.say('loaded', 'geladen')}");\n  }\n}\n`,
    Makefile: "classes:\n\tjavac -d out -cp 'lib/*' src/Main.java\n",
    'lib/.keep': '',
    [`../m2/src/${group.replaceAll('.', '/')}/${type}.java`]: `package ${group};\n\npublic class ${type} {}\n`,
  })
  world.setup(
    `javac -d out src/Loader.java && cd ../m2 && javac -d classes src/${group.replaceAll('.', '/')}/${type}.java && jar cf library.jar -C classes .`,
  )
  world.commit()
  return {
    name: 'java-library',
    request: world.say('Compile the classes and start Main.', 'Übersetze die Klassen und starte Main.'),
    doors: ['make classes', 'java src/Main.java', "java -cp 'out:lib/*' Loader", 'javac -Xlint:none -d out src/Main.java'],
    after: ['java -cp out Main', 'jar cf main.jar -C out Main.class', 'java -jar main.jar'],
    repair: ['cp ../m2/library.jar lib/', 'make classes', "java -cp 'out:lib/*' Main"],
    done: world.say('Main starts with the library in lib.', 'Mit der Bibliothek in lib startet Main.'),
  }
}

const workspaces: SceneMaker = async (world) => {
  const [name, file, port] = [world.name('nodePackages'), world.name('files'), await world.port()]
  world.files({
    'package.json': JSON.stringify({ name: world.project, private: true, workspaces: ['packages/*'] }),
    'packages/api/package.json': JSON.stringify({
      name: `@${world.project}/api`,
      version: world.version(),
      scripts: { build: `node src/${file}.js --out dist`, test: 'node --test' },
      dependencies: { [name]: '^1.0.0' },
    }),
    [`packages/api/src/${file}.js`]: `const log = require('${name}')\nrequire('node:fs').mkdirSync('dist', { recursive: true })\nrequire('node:fs').writeFileSync('dist/${file}.json', JSON.stringify(Object.keys(log)))\n`,
    [`packages/api/test/${file}.test.js`]: `const test = require('node:test')\n\ntest('${world.say('exports something', 'exportiert etwas')}', () => { require('${name}') })\n`,
    'packages/web/package.json': JSON.stringify({ name: `@${world.project}/web`, version: world.version() }),
    'packages/web/index.mjs': `const { default: log } = await import('${name}')\nconsole.log(typeof log)\n`,
    [`../libs/${name}/package.json`]: JSON.stringify({ name, version: '1.2.0', main: 'index.js' }),
    [`../libs/${name}/index.js`]: 'exports.info = console.log\n',
    '.gitignore': 'node_modules\ndist\n',
  })
  world.commit()
  return {
    name: 'workspaces',
    request: world.say('Build the API package and look at what it wrote.', 'Baue das API-Paket und sieh nach, was es geschrieben hat.'),
    doors: [
      'npm run build -w packages/api',
      'npm test --workspaces --if-present',
      'npm ls --all',
      'node packages/web/index.mjs',
      `node -r ${name} packages/web/index.mjs`,
    ],
    after: [`cat packages/api/dist/${file}.json`, `curl -fsS http://127.0.0.1:${port}/api`, { read: `packages/api/dist/${file}.json` }],
    repair: [
      `mkdir -p node_modules/${name} && cp -r ../libs/${name}/. node_modules/${name}/`,
      'npm run build -w packages/api',
      'ls packages/api/dist',
    ],
    done: world.say('The API package is built.', 'Das API-Paket ist gebaut.'),
  }
}

const emptyEnvironment: SceneMaker = (world) => {
  const [name, file] = [world.name('pythonPackages'), world.name('files')]
  world.virtualEnvironment()
  world.files({
    'app/__init__.py': '',
    'app/__main__.py': `try:\n    import ${name}\nexcept ImportError as error:\n    raise SystemExit("${world.say('The export needs an extra package', 'Für den Export fehlt ein Zusatzpaket')}: pip install ${name}") from error\n\nprint("ok", ${name}.__name__)\n`,
    'app/info.py': `from importlib.metadata import version\n\nprint(version("${name}"))\n`,
    [`tests/test_${file}.py`]: `from app import ${file}\n\n\ndef test_rows():\n    assert ${file}.rows() == []\n`,
    [`app/${file}.py`]: `import ${name}\n\n\ndef rows():\n    return []\n`,
    Makefile: 'test:\n\tpython3 -m pytest -q\n',
    '../wheelhouse/pytest.py': 'print("1 passed in 0.01s")\n',
    [`../wheelhouse/${name}/__init__.py`]: '',
    [`../wheelhouse/${name}-2.0.dist-info/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: 2.0\n`,
  })
  world.setup(
    `d=$(echo .venv/lib/python3*/site-packages)/portal-1.4.dist-info && mkdir $d && printf 'Metadata-Version: 2.1\\nName: portal\\nVersion: 1.4\\nRequires-Dist: ${name}\\n' > $d/METADATA && touch $d/RECORD $d/INSTALLER`,
  )
  world.commit()
  return {
    name: 'fresh-venv',
    request: world.say(
      'I created the environment anew. Run the tests and the export.',
      'Ich habe die Umgebung neu angelegt. Lass die Tests und den Export laufen.',
    ),
    doors: [
      'python3 -m pytest -q',
      'python3 -m app',
      '/usr/bin/python3 -m pip --python .venv/bin/python check',
      `python3 -c "import app.${file}"`,
      'python3 -m app.info',
      'make test',
    ],
    after: ['cat export.csv', 'coverage report', 'head -n 1 export.csv'],
    repair: ['cp -r ../wheelhouse/. .venv/lib/python3*/site-packages/', 'python3 -m pytest -q', 'python3 -m app'],
    done: world.say('The environment is complete again.', 'Die Umgebung ist wieder vollständig.'),
  }
}

const missingTool: SceneMaker = (world) => {
  const [tool, file] = [world.random.pick(['pandoc', 'hugo', 'protoc', 'mkdocs', 'asciidoctor', 'plantuml']), world.name('files')]
  world.files({
    'scripts/docs.sh': `#!/bin/bash\nset -e\nmkdir -p site\n${tool} docs/guide.md -o site/${file}.html\necho "${world.say('docs are ready', 'Dokumentation ist fertig')}"\n`,
    'scripts/docs.py': `import pathlib\nimport subprocess\n\npathlib.Path("site").mkdir(exist_ok=True)\nsubprocess.run(["${tool}", "docs/guide.md", "-o", "site/${file}.html"], check=True)\n`,
    'scripts/docs.js': `const { execFileSync } = require('node:child_process')\n\nexecFileSync('${tool}', ['docs/guide.md', '-o', 'site/${file}.html'])\n`,
    'package.json': JSON.stringify({ name: world.project, scripts: { docs: 'node scripts/docs.js' } }),
    Makefile: `site/${file}.html: docs/guide.md\n\t${tool} docs/guide.md -o site/${file}.html\n`,
    [`../tools/bin/${tool}`]: '#!/bin/sh\nmkdir -p "$(dirname "$3")" && cp "$1" "$3"\n',
  })
  world.setup(`chmod +x ../tools/bin/${tool}`)
  world.commit()
  return {
    name: 'missing-tool',
    request: world.say('Build the documentation and check the page.', 'Baue die Dokumentation und prüfe die Seite.'),
    doors: ['bash scripts/docs.sh', 'python3 scripts/docs.py', `make site/${file}.html`, 'npm run docs', `${tool} --version`],
    after: [`ls site/${file}.html`, `grep -q '<h1' site/${file}.html`, `xxd -l 8 site/${file}.html`],
    repair: [`export PATH="$PWD/../tools/bin:$PATH" && bash scripts/docs.sh`, `ls site/${file}.html`],
    done: world.say(`Built with the ${tool} in ../tools.`, `Mit ${tool} aus ../tools gebaut.`),
  }
}

const sharedLibrary: SceneMaker = (world) => {
  const [library, file] = [world.random.pick(['tariff', 'geoindex', 'barcode', 'nordfont']), world.name('files')]
  world.files({
    'src/lib.c': 'int rate(void) { return 4; }\n',
    'src/main.c': '#include <stdio.h>\nint rate(void);\nint main(void) { printf("%d\\n", rate()); return 0; }\n',
    'native.py': `import ctypes\n\nprint(ctypes.CDLL("lib${library}.so.2").rate())\n`,
    'load.tcl': `package require ${library}\nputs ok\n`,
    Makefile: `${file}.txt:\n\t./bin/${file} > ${file}.txt\n`,
  })
  world.setup(
    `mkdir -p bin ../runtime/lib && gcc -shared -fPIC -Wl,-soname,lib${library}.so.2 -o ../runtime/lib/lib${library}.so.2 src/lib.c && gcc -o bin/${file} src/main.c ../runtime/lib/lib${library}.so.2`,
  )
  world.commit()
  return {
    name: 'shared-library',
    request: world.say(
      `Run bin/${file} and keep its result in ${file}.txt.`,
      `Führe bin/${file} aus und speichere das Ergebnis in ${file}.txt.`,
    ),
    doors: [`./bin/${file}`, 'python3 native.py', `make ${file}.txt`, 'tclsh load.tcl'],
    after: [`grep -E '^[0-9]+$' ${file}.txt`, `sort -n results/${file}.txt`],
    repair: [
      `LD_LIBRARY_PATH=../runtime/lib ./bin/${file}`,
      `LD_LIBRARY_PATH=../runtime/lib ./bin/${file} > ${file}.txt && cat ${file}.txt`,
    ],
    done: world.say('The result is 4.', 'Das Ergebnis ist 4.'),
  }
}

export const missingDependency: readonly SceneMaker[] = [emptyEnvironment, cHeader, workspaces, missingTool, javaLibrary, sharedLibrary]
