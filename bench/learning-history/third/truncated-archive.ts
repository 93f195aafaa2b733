// Downloads that break off, and jars, wheels, packages and backups that end too early.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SceneMaker } from '../scene.ts'
import type { World } from '../world.ts'

/** A folder with random contents in ../complete, whose last file is `start.js`. */
function contents(world: World, name: string): void {
  const size = world.random.integer(24, 70)
  world.setup(
    `mkdir -p ../complete/${name} && cd ../complete/${name} && head -c ${size}k /dev/urandom > part1.dat && head -c ${size}k /dev/urandom > part2.dat && echo "console.log('${name}')" > start.js`,
  )
}

/** What is left of ../complete/ARCHIVE in `folder`: between a third and three quarters of it. */
function cut(world: World, archive: string, folder: string): void {
  const share = world.random.integer(34, 75)
  world.setup(
    `mkdir -p ${folder} && head -c $(( $(stat -c %s ../complete/${archive}) * ${share} / 100 )) ../complete/${archive} > ${folder}/${archive}`,
  )
}

const brokenDownload: SceneMaker = async (world) => {
  const name = `${world.name('files')}-${world.version()}`
  contents(world, name)
  world.setup(`cd ../complete && tar czf ${name}.tgz ${name}/part1.dat ${name}/part2.dat ${name}/start.js`)
  const body = readFileSync(join(world.folder, '../complete', `${name}.tgz`))
  const kept = Math.floor(body.length * (world.random.integer(30, 80) / 100))
  const port = await world.serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/gzip', 'content-length': body.length })
    response.write(body.subarray(0, kept), () => setTimeout(() => response.destroy(), 50))
  })
  const url = `http://127.0.0.1:${port}/releases/${name}.tgz`
  world.files({
    'get.py': `import urllib.request\n\nwith urllib.request.urlopen("${url}") as answer, open("${name}.tgz", "wb") as file:\n    file.write(answer.read())\n`,
    'get.mjs': `import { writeFileSync } from 'node:fs'\n\nconst answer = await fetch('${url}')\nwriteFileSync('${name}.tgz', Buffer.from(await answer.arrayBuffer()))\n`,
  })
  world.commit()
  return {
    name: 'broken-download',
    request: world.say(`Download ${name}.tgz, unpack it and start it.`, `Lade ${name}.tgz herunter, entpacke es und starte es.`),
    doors: [
      `curl -fsSLO ${url}`,
      'python3 get.py',
      `wget --progress=dot:mega --tries=1 ${url}`,
      'node get.mjs',
      `curl -fsSL ${url} | tar xz`,
    ],
    after: [`tar xzf ${name}.tgz`, `node ${name}/start.js`, `gzip -l ${name}.tgz && sha256sum -c ${name}.sha256`],
    repair: [`cp ../complete/${name}.tgz .`, `tar xzf ${name}.tgz`, `node ${name}/start.js`],
    done: world.say('It works with the complete copy.', 'Mit der vollständigen Kopie klappt es.'),
  }
}

const jar: SceneMaker = (world) => {
  const name = `${world.name('files')}-${world.version()}.jar`
  contents(world, 'classes')
  world.files({
    '../complete/Main.java': 'public class Main {\n  public static void main(String[] given) {\n    System.out.println("ok");\n  }\n}\n',
    'Use.java': 'class Use {\n  public static void main(String[] given) {\n    Main.main(given);\n  }\n}\n',
  })
  world.setup(`cd ../complete && javac -d classes Main.java && jar cfe ${name} Main -C classes .`)
  cut(world, name, 'lib')
  world.commit()
  return {
    name: 'jar',
    request: world.say(`Start lib/${name} and list its classes.`, `Starte lib/${name} und liste die Klassen auf.`),
    doors: [`java -jar lib/${name}`, `jar tf lib/${name}`, `javac -cp lib/${name} -d out Use.java`, `zipinfo -1 lib/${name}`],
    after: ['java -cp out Use', `java -cp lib/${name} Main`, 'cat out/Use.class'],
    repair: [`cp ../complete/${name} lib/`, `java -jar lib/${name}`],
    done: world.say('It starts with a fresh copy.', 'Mit einer frischen Kopie startet es.'),
  }
}

const fastCompression: SceneMaker = (world) => {
  const name = world.name('files')
  const [ending, option, program] = world.random.pick([
    ['tar.zst', '--zstd', 'zstd'],
    ['tar.lz4', '-I lz4', 'lz4'],
  ] as const)
  const archive = `${name}.${ending}`
  contents(world, name)
  world.setup(`cd ../complete && tar ${option} -cf ${archive} ${name}/part1.dat ${name}/part2.dat ${name}/start.js`)
  cut(world, archive, 'cache')
  world.commit()
  return {
    name: 'fast-compression',
    request: world.say(
      `Unpack the build cache cache/${archive} and run start.js from it.`,
      `Entpacke den Build-Cache cache/${archive} und führe start.js daraus aus.`,
    ),
    doors: [
      `tar ${option} -xf cache/${archive}`,
      `${program} -t cache/${archive}`,
      `${program} -d -c cache/${archive} > ${name}.tar`,
      `${program} -dc cache/${archive} | tar xv`,
    ],
    after: [`node ${name}/start.js`, `ls -l ${name}/start.js`, `tar xf ${name}.tar && node ${name}/start.js`],
    repair: [`cp ../complete/${archive} cache/`, `tar ${option} -xf cache/${archive}`, `node ${name}/start.js`],
    done: world.say('The cache is unpacked.', 'Der Cache ist entpackt.'),
  }
}

const systemPackage: SceneMaker = (world) => {
  const name = world.random.pick(['meter-agent', 'lagertool', 'print-hook', 'gatewayd'])
  contents(world, name)
  world.setup(
    `cd ../complete && mkdir -p tree/DEBIAN tree/opt && cp -r ${name} tree/opt/ && chmod 755 tree tree/DEBIAN && printf 'Package: ${name}\\nVersion: ${world.version()}\\nArchitecture: all\\nMaintainer: ${world.user} <${world.user}@example.org>\\nDescription: ${name}\\n' > tree/DEBIAN/control && dpkg-deb --root-owner-group --build tree ${name}.deb > /dev/null`,
  )
  cut(world, `${name}.deb`, 'packages')
  world.commit()
  return {
    name: 'system-package',
    request: world.say(
      `Extract packages/${name}.deb into unpacked and start it.`,
      `Extrahiere packages/${name}.deb nach unpacked und starte es.`,
    ),
    doors: [
      `dpkg-deb -x packages/${name}.deb unpacked`,
      `dpkg-deb --contents packages/${name}.deb`,
      `ar x packages/${name}.deb`,
      `dpkg -c packages/${name}.deb`,
    ],
    after: [`node unpacked/opt/${name}/start.js`, `ls unpacked/opt/${name}/start.js`, { read: `unpacked/opt/${name}/start.js` }],
    repair: [`cp ../complete/${name}.deb packages/`, `dpkg-deb -x packages/${name}.deb unpacked`, `node unpacked/opt/${name}/start.js`],
    done: world.say('Extracted and started.', 'Extrahiert und gestartet.'),
  }
}

const wheel: SceneMaker = (world) => {
  const name = world.name('pythonPackages')
  const [version, file] = [world.version(), world.name('files')]
  const [built, source] = [`${name}-${version}-py3-none-any.whl`, `${name}-${version}.tar.gz`]
  world.virtualEnvironment()
  world.files({
    [`../complete/${name}/__init__.py`]: '',
    [`../complete/${name}-${version}.dist-info/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`,
    [`../complete/${name}-${version}.dist-info/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    [`../complete/${name}-${version}.dist-info/RECORD`]: '',
    [`${file}.py`]: `import ${name}\n\nprint("ok")\n`,
    'unpack.py': `import shutil\n\nshutil.unpack_archive("wheels/${source}", "src")\nprint("ok")\n`,
  })
  contents(world, name)
  world.setup(`cd ../complete && zip -qr ${built} ${name} ${name}-${version}.dist-info && tar czf ${source} ${name}`)
  for (const archive of [built, source]) cut(world, archive, 'wheels')
  world.commit()
  const pip = '/usr/bin/python3 -m pip --python .venv/bin/python install --no-index'
  return {
    name: 'wheel',
    request: world.say(
      `Install ${name} from the folder wheels and start ${file}.py.`,
      `Installiere ${name} aus dem Ordner wheels und starte ${file}.py.`,
    ),
    doors: [`${pip} wheels/${built}`, 'python3 unpack.py', `${pip} wheels/${source}`, `unzip -tq wheels/${built}`],
    after: [`python3 ${file}.py`, `/usr/bin/python3 -m pip --python .venv/bin/python show ${name}`, `ls src/${name}/start.js`],
    repair: [
      `cp ../complete/${built} ../complete/${source} wheels/`,
      `cp -r ../complete/${name} .venv/lib/python3*/site-packages/`,
      `python3 unpack.py && python3 ${file}.py`,
    ],
    done: world.say('Installed from a complete copy.', 'Aus einer vollständigen Kopie installiert.'),
  }
}

const backup: SceneMaker = (world) => {
  const name = world.name('files')
  contents(world, name)
  world.setup(
    `cd ../complete && tar czf ${name}.tar.gz ${name}/part1.dat ${name}/part2.dat ${name}/start.js && cat ${name}/* | gzip > ${name}.sql.gz && git init -q store && cp ${name}/* store/ && cd store && git add -A && git commit -qm all && git pack-objects -q --all ../objects < /dev/null > ../hash && mv ../objects-*.pack ../${name}.pack`,
  )
  for (const ending of ['tar.gz', 'sql.gz', 'pack']) cut(world, `${name}.${ending}`, 'backups')
  world.files({
    'Restore.java': `import java.io.FileInputStream;\nimport java.nio.file.Files;\nimport java.nio.file.Path;\nimport java.util.zip.GZIPInputStream;\n\nclass Restore {\n  public static void main(String[] given) throws Exception {\n    try (GZIPInputStream in = new GZIPInputStream(new FileInputStream("backups/${name}.sql.gz"))) {\n      Files.write(Path.of("${name}.sql"), in.readAllBytes());\n    }\n  }\n}\n`,
  })
  world.commit()
  return {
    name: 'backup',
    request: world.say(
      'Restore last night’s backup and check that start.js is in it.',
      'Spiel die Sicherung der letzten Nacht ein und prüfe, ob start.js dabei ist.',
    ),
    doors: [
      `tar -xpf backups/${name}.tar.gz --strip-components=1`,
      `gunzip -k backups/${name}.sql.gz`,
      `cmake -E tar xf backups/${name}.tar.gz`,
      'java Restore.java',
      `git index-pack backups/${name}.pack`,
    ],
    after: ['node start.js', `wc -c ${name}.sql`, `git cat-file -t $(cat ../complete/hash | head -c 40)`],
    repair: [`cp ../complete/${name}.tar.gz backups/`, `tar -xpf backups/${name}.tar.gz --strip-components=1`, 'node start.js'],
    done: world.say('Restored; start.js is in it.', 'Eingespielt, start.js ist dabei.'),
  }
}

export const truncatedArchive: readonly SceneMaker[] = [brokenDownload, backup, wheel, jar, systemPackage, fastCompression]
