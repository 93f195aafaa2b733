// An archive ends too early, for example because its download was interrupted.
import type { Cause, SceneMaker } from '../scene.ts'
import type { World } from '../world.ts'

/** Packs a folder with random contents, whose last file is `z-main.js`; the complete archive stays beside the project. */
function pack(world: World, name: string, command: string, archive: string): void {
  const size = world.random.integer(20, 60)
  world.setup(
    `mkdir -p ../downloads/${name} && cd ../downloads && head -c ${size}k /dev/urandom > ${name}/a-data.bin && head -c ${size}k /dev/urandom > ${name}/b-data.bin && echo "console.log('${name}')" > ${name}/z-main.js && ${command}`,
  )
  const kept = world.random.integer(size + 4, size + 15)
  world.setup(`mkdir -p vendor && head -c ${kept}k ../downloads/${archive} > vendor/${archive}`)
  world.commit()
}

const compressed: SceneMaker = (world) => {
  const name = `${world.name('files')}-${world.version()}`
  const archive = `${name}.${world.random.pick(['tgz', 'tar.gz'])}`
  pack(world, name, `tar czf ${archive} ${name}/a-data.bin ${name}/b-data.bin ${name}/z-main.js`, archive)
  return {
    name: 'tar-gzip',
    request: world.say(`Unpack vendor/${archive} and start z-main.js from it.`, `Entpacke vendor/${archive} und starte z-main.js daraus.`),
    doors: [
      `tar xzf vendor/${archive}`,
      `tar -xvzf vendor/${archive} -C vendor`,
      `tar tzf vendor/${archive}`,
      `gzip -t vendor/${archive}`,
      {
        script: 'python',
        code: `import tarfile\n\nwith tarfile.open("vendor/${archive}") as archive:\n    archive.extractall("vendor")\n`,
      },
    ],
    after: [`node ${name}/z-main.js`, `cp vendor/${name}/z-main.js /var/tmp/`, `ls vendor/${name}/z-main.js`],
    repair: [`cp ../downloads/${archive} vendor/`, `tar xzf vendor/${archive}`, `node ${name}/z-main.js`],
    done: world.say('Unpacked and started.', 'Entpackt und gestartet.'),
  }
}

const plain: SceneMaker = (world) => {
  const name = `${world.name('files')}-${world.version()}`
  pack(world, name, `tar cf ${name}.tar ${name}/a-data.bin ${name}/b-data.bin ${name}/z-main.js`, `${name}.tar`)
  return {
    name: 'tar',
    request: world.say(
      `Restore the backup vendor/${name}.tar into restored.`,
      `Stell die Sicherung vendor/${name}.tar in restored wieder her.`,
    ),
    before: ['mkdir -p restored'],
    doors: [`tar xf vendor/${name}.tar -C restored`, `tar tvf vendor/${name}.tar`, `python3 -m tarfile -e vendor/${name}.tar restored`],
    after: [`node restored/${name}/z-main.js`, { read: `restored/${name}/z-main.js` }, `diff -r ../downloads/${name} restored/${name}`],
    repair: [`cp ../downloads/${name}.tar vendor/`, `tar xf vendor/${name}.tar -C restored`, `node restored/${name}/z-main.js`],
    done: world.say('The backup is restored.', 'Die Sicherung ist wiederhergestellt.'),
  }
}

const npmPackage: SceneMaker = (world) => {
  const name = world.name('nodePackages').replace(/^@\w+\//, '')
  const archive = `${name}-${world.version()}.tgz`
  world.files({
    'package.json': JSON.stringify({ name: world.project, scripts: { start: `node -e "require('${name}')"` } }),
    '../downloads/package/package.json': JSON.stringify({ name, version: '1.0.0', main: 'z-main.js' }),
  })
  pack(world, 'package', `tar czf ${archive} package/package.json package/a-data.bin package/b-data.bin package/z-main.js`, archive)
  return {
    name: 'npm-package',
    request: world.say(
      `Install the package in vendor/${archive} and start the project.`,
      `Installiere das Paket aus vendor/${archive} und starte das Projekt.`,
    ),
    doors: [
      `npm install --offline --no-save ./vendor/${archive}`,
      `tar xzf vendor/${archive} -C vendor`,
      `gunzip -c vendor/${archive} > vendor/${name}.tar`,
    ],
    after: ['npm start', `node -p "require('${name}/package.json').version"`],
    repair: [`cp ../downloads/${archive} vendor/`, `npm install --offline --no-save ./vendor/${archive}`, 'npm start'],
    done: world.say('Installed and started.', 'Installiert und gestartet.'),
  }
}

const dump: SceneMaker = (world) => {
  const name = world.name('files')
  const archive = `${name}.sql.gz`
  world.setup(
    `mkdir -p ../downloads vendor && python3 -c "import random; print('begin; create table entry(id integer, code text);'); [print('insert into entry values (%d, \\'%x\\');' % (n, random.getrandbits(256))) for n in range(900)]; print('create table final(id integer); commit;')" | gzip > ../downloads/${archive} && head -c ${world.random.integer(6, 20)}k ../downloads/${archive} > vendor/${archive}`,
  )
  world.commit()
  return {
    name: 'dump',
    request: world.say(
      `Load vendor/${archive} into a database and tell me how many entries it has.`,
      `Lade vendor/${archive} in eine Datenbank und sag mir, wie viele Einträge sie hat.`,
    ),
    doors: [
      `gunzip -c vendor/${archive} > ${name}.sql`,
      `set -o pipefail; zcat vendor/${archive} | sqlite3 ${name}.db`,
      {
        script: 'python',
        code: `import gzip\n\nwith gzip.open("vendor/${archive}", "rt") as dump:\n    open("${name}.sql", "w").write(dump.read())\n`,
      },
      `gzip -tv vendor/${archive}`,
    ],
    after: [`sqlite3 ${name}.db 'select count(*) from final'`, `grep -c "create table final" ${name}.sql`],
    repair: [
      `cp ../downloads/${archive} vendor/`,
      `rm -f ${name}.db && zcat vendor/${archive} | sqlite3 ${name}.db`,
      `sqlite3 ${name}.db 'select count(*) from entry'`,
    ],
    done: world.say('900 entries.', '900 Einträge.'),
  }
}

const zipped: SceneMaker = (world) => {
  const name = `${world.name('files')}-${world.version()}`
  pack(world, name, `zip -qr ${name}.zip ${name}`, `${name}.zip`)
  return {
    name: 'zip',
    request: world.say(`Unzip vendor/${name}.zip and show its files.`, `Entpacke vendor/${name}.zip und zeig die Dateien.`),
    doors: [
      `unzip -q vendor/${name}.zip`,
      `unzip -t vendor/${name}.zip`,
      `python3 -m zipfile -e vendor/${name}.zip .`,
      { script: 'python', code: `import zipfile\n\nprint(zipfile.ZipFile("vendor/${name}.zip").namelist())\n` },
    ],
    after: [`ls ${name}`, `node ${name}/z-main.js`],
    repair: [`cp ../downloads/${name}.zip vendor/`, `unzip -qo vendor/${name}.zip`, `node ${name}/z-main.js`],
    done: world.say('Three files.', 'Drei Dateien.'),
  }
}

const otherCompression: SceneMaker = (world) => {
  const name = `${world.name('files')}-${world.version()}`
  const [letter, ending, program] = world.random.pick([
    ['J', 'tar.xz', 'xz'],
    ['j', 'tar.bz2', 'bzip2'],
    ['J', 'txz', 'xz'],
  ] as const)
  const archive = `${name}.${ending}`
  pack(world, name, `tar c${letter}f ${archive} ${name}/a-data.bin ${name}/b-data.bin ${name}/z-main.js`, archive)
  return {
    name: 'tar-other',
    request: world.say(
      `Extract ${archive} from vendor and run its entry file.`,
      `Extrahiere ${archive} aus vendor und führe die Startdatei aus.`,
    ),
    doors: [
      `tar -x${letter}f vendor/${archive}`,
      `${program} -t vendor/${archive}`,
      `tar --list --file vendor/${archive}`,
      `${program} -dc vendor/${archive} > ${name}.tar`,
    ],
    after: [`node ./${name}/z-main.js`, `cd ${name} && sha256sum z-main.js`],
    repair: [`cp ../downloads/${archive} vendor/`, `tar -x${letter}f vendor/${archive}`, `node ./${name}/z-main.js`],
    done: world.say('Extracted and run.', 'Extrahiert und ausgeführt.'),
  }
}

const nodeReader: SceneMaker = (world) => {
  const name = world.name('files')
  const message = world.say('The snapshot is incomplete', 'Der Schnappschuss ist unvollständig')
  world.files({
    'tools/restore.mjs': `import { readFileSync, writeFileSync } from 'node:fs'\nimport { gunzipSync } from 'node:zlib'\n\nwriteFileSync('${name}.bin', gunzipSync(readFileSync('vendor/${name}.gz')))\n`,
    'tools/restore.py': `import gzip\nimport sys\n\ntry:\n    data = gzip.open("vendor/${name}.gz").read()\nexcept EOFError as error:\n    sys.exit(f"${message}: {error}")\n`,
    'package.json': JSON.stringify({ name: world.project, scripts: { restore: 'node tools/restore.mjs' } }),
  })
  pack(world, name, `cat ${name}/* | gzip > ${name}.gz`, `${name}.gz`)
  return {
    name: 'node-reader',
    request: world.say(
      `Restore ${name}.bin from the snapshot and compute its checksum.`,
      `Stell ${name}.bin aus dem Schnappschuss wieder her und berechne die Prüfsumme.`,
    ),
    doors: [
      'node tools/restore.mjs',
      'npm run restore',
      'python3 tools/restore.py',
      `perl -MIO::Uncompress::Gunzip=gunzip,\\$GunzipError -e 'gunzip("vendor/${name}.gz", "${name}.bin") or die "$GunzipError\\n"'`,
    ],
    after: [`sha256sum ${name}.bin`, `xxd -l 16 ${name}.bin`],
    repair: [`cp ../downloads/${name}.gz vendor/`, 'npm run restore', `sha256sum ${name}.bin`],
    done: world.say('Restored, with its checksum above.', 'Wiederhergestellt, die Prüfsumme steht oben.'),
  }
}

const bundle: SceneMaker = (world) => {
  const name = world.name('files')
  world.setup(
    `git init -q ../source && cd ../source && head -c 40k /dev/urandom > a.bin && head -c 40k /dev/urandom > b.bin && git add -A && git commit -qm first && mkdir -p ../downloads && git bundle create -q ../downloads/${name}.bundle main && cd "$OLDPWD" && mkdir -p vendor && head -c ${world.random.integer(30, 60)}k ../downloads/${name}.bundle > vendor/${name}.bundle`,
  )
  world.commit()
  return {
    name: 'bundle',
    request: world.say(`Clone the repository from vendor/${name}.bundle.`, `Klone das Repository aus vendor/${name}.bundle.`),
    doors: [`git clone vendor/${name}.bundle ${name}`, `git fetch vendor/${name}.bundle main`, `git bundle unbundle vendor/${name}.bundle`],
    after: [`cd ${name} && git log --oneline`, `git -C ${name} status`],
    repair: [
      `cp ../downloads/${name}.bundle vendor/`,
      `rm -rf ${name} && git clone vendor/${name}.bundle ${name}`,
      `git -C ${name} log --oneline`,
    ],
    done: world.say('Cloned, with one commit.', 'Geklont, mit einem Commit.'),
  }
}

export const truncatedArchive: Cause = {
  tuning: [compressed, plain, npmPackage, dump],
  'held-out': [zipped, otherCompression, nodeReader, bundle],
}
