// Downloads that stopped in the middle: toolchains, exports, dumps, fixtures and models.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { World } from '../world.ts'
import type { DayMaker } from './day.ts'
import { python } from './tools.ts'

/** A folder with random contents in ../full, whose last file is `zz-run.js`, and the archive that `command` makes of it. */
function pack(world: World, name: string, command: string): void {
  const size = world.random.integer(30, 90)
  world.setup(
    `mkdir -p ../full/${name} && cd ../full && head -c ${size}k /dev/urandom > ${name}/a.bin && head -c ${size}k /dev/urandom > ${name}/b.bin && echo "console.log('${name}')" > ${name}/zz-run.js && ${command}`,
  )
}

function cutTo(world: World, archive: string, path: string): void {
  const share = world.random.integer(35, 85)
  world.setup(
    `mkdir -p $(dirname ${path}) && head -c $(( $(stat -c %s ../full/${archive}) * ${share} / 100 )) ../full/${archive} > ${path}`,
  )
}

const files = (name: string) => `${name}/a.bin ${name}/b.bin ${name}/zz-run.js`

const toolchain: DayMaker = (world) => {
  const name = `${world.random.pick(['node', 'toolchain', 'sdk', 'jdk'])}-v${world.version()}-linux-arm64`
  pack(world, name, `tar czf ${name}.tar.gz ${files(name)} && sha256sum ${name}.tar.gz > ${name}.sha256`)
  cutTo(world, `${name}.tar.gz`, `downloads/${name}.tar.gz`)
  world.setup(`cp ../full/${name}.sha256 downloads/`)
  world.commit()
  const at = `downloads/${name}.tar.gz`
  return {
    name: 'toolchain',
    request: world.say(`Install ${at} into tools and run zz-run.js.`, `Installiere ${at} nach tools und führe zz-run.js aus.`),
    before: ['mkdir -p tools'],
    doors: [
      `tar -xzf ${at} -C tools`,
      `tar -xzf ${at} -C tools --strip-components=1`,
      `tar tf ${at}`,
      `cd downloads && sha256sum -c ${name}.sha256`,
    ],
    looks: [`ls -lh downloads`, `file ${at}`, `cat downloads/${name}.sha256`],
    tries: [
      [`rm -rf tools/* && tar -xf ${at} -C tools`],
      [`gzip -t ${at}`],
      [`tar -xzf ${at} -C tools --ignore-zeros`],
      [`python3 -m tarfile -l ${at}`],
    ],
    after: [`node tools/${name}/zz-run.js`, `ls tools/${name}/zz-run.js`],
    repair: [`cp ../full/${name}.tar.gz downloads/`, `tar -xzf ${at} -C tools`, `node tools/${name}/zz-run.js`],
    done: world.say('Installed from the complete file.', 'Aus der vollständigen Datei installiert.'),
  }
}

const zipExport: DayMaker = (world) => {
  const name = world.random.pick(['design-export', 'takeout', 'fotos-2026', 'translations'])
  pack(world, name, `zip -qr ${name}.zip ${name}`)
  cutTo(world, `${name}.zip`, `${name}.zip`)
  python(world, ['pytest'])
  world.files({
    'import_zip.py': `import zipfile\n\nwith zipfile.ZipFile("${name}.zip") as archive:\n    archive.extractall("import")\n    print(len(archive.namelist()))\n`,
    'tests/test_import.py': `import zipfile\n\n\ndef test_export():\n    assert len(zipfile.ZipFile("${name}.zip").namelist()) > 2\n`,
  })
  world.commit()
  return {
    name: 'zip-export',
    request: world.say(`Import ${name}.zip and count the files.`, `Importiere ${name}.zip und zähle die Dateien.`),
    doors: [`unzip ${name}.zip -d import`, 'python import_zip.py', `unzip -l ${name}.zip`, 'pytest -q tests/test_import.py'],
    looks: [`ls -l ${name}.zip`, `file ${name}.zip`, { read: 'import_zip.py' }],
    tries: [
      [`unzip -t ${name}.zip`],
      [`zip -F ${name}.zip --out fixed.zip < /dev/null`],
      [`python -m zipfile -t ${name}.zip`],
      ['rm -rf import && mkdir import', 'python import_zip.py'],
      [`jar tf ${name}.zip`],
    ],
    after: [`ls import/${name}`, `node import/${name}/zz-run.js`],
    repair: [`cp ../full/${name}.zip .`, `unzip -qo ${name}.zip -d import`, `ls import/${name}`],
    done: world.say('Three files are imported.', 'Drei Dateien sind importiert.'),
  }
}

const sqlDump: DayMaker = (world) => {
  const name = world.random.pick(['prod', 'staging', 'kunden', 'orders'])
  const stamp = `${name}-2026-${String(world.random.integer(1, 12)).padStart(2, '0')}.sql.gz`
  world.setup(
    `mkdir -p ../full dumps && python3 -c "import random; print('create table t(id integer, code text);'); [print('insert into t values (%d, \\'%x\\');' % (n, random.getrandbits(256))) for n in range(700)]; print('create view last as select max(id) from t;')" | gzip > ../full/${stamp}`,
  )
  cutTo(world, stamp, `dumps/${stamp}`)
  world.files({
    'restore.sh': `#!/bin/bash\nset -euo pipefail\nzcat dumps/${stamp} | sqlite3 dev.db\necho "${world.say('restored', 'eingespielt')}"\n`,
    'restore.js': `const { createGunzip } = require('node:zlib')\nconst { createReadStream, createWriteStream } = require('node:fs')\nconst { pipeline } = require('node:stream')\n\npipeline(createReadStream('dumps/${stamp}'), createGunzip(), createWriteStream('${name}.sql'), (error) => {\n  if (error) throw error\n})\n`,
    'restore.py': `import gzip\nimport shutil\n\nwith gzip.open("dumps/${stamp}") as source, open("${name}.sql", "wb") as target:\n    shutil.copyfileobj(source, target)\n`,
    Makefile: 'db:\n\tbash restore.sh\n',
  })
  world.commit()
  return {
    name: 'sql-dump',
    request: world.say(`Load dumps/${stamp} into dev.db and count the rows.`, `Spiel dumps/${stamp} in dev.db ein und zähle die Zeilen.`),
    doors: [`gunzip -k dumps/${stamp}`, 'bash restore.sh', 'python3 restore.py', 'node restore.js', 'make db'],
    looks: ['ls -l dumps', { read: 'restore.sh' }, `file dumps/${stamp}`],
    tries: [
      ['rm -f dev.db', 'bash restore.sh'],
      [`gzip -t dumps/${stamp}`],
      [`zcat dumps/${stamp} > ${name}.sql`],
      [`sqlite3 dev.db .tables`, 'make db'],
    ],
    after: ["sqlite3 dev.db 'select * from last'", `grep -q 'create view last' ${name}.sql`],
    repair: [`cp ../full/${stamp} dumps/`, 'rm -f dev.db && bash restore.sh', "sqlite3 dev.db 'select * from last'"],
    done: world.say('700 rows.', '700 Zeilen.'),
  }
}

const interrupted: DayMaker = async (world) => {
  const name = `${world.random.pick(['dataset', 'fonts', 'model', 'kartendaten'])}-${world.version()}`
  pack(world, name, `tar czf ${name}.tar.gz ${files(name)}`)
  const body = readFileSync(join(world.folder, '../full', `${name}.tar.gz`))
  const kept = Math.floor(body.length * (world.random.integer(30, 80) / 100))
  const port = await world.serve((_, response) => {
    response.writeHead(200, { 'content-length': body.length })
    response.write(body.subarray(0, kept), () => setTimeout(() => response.destroy(), 50))
  })
  const url = `http://127.0.0.1:${port}/${name}.tar.gz`
  python(world, ['requests'])
  world.files({
    'fetch.py': `import requests\n\nanswer = requests.get("${url}")\nopen("${name}.tar.gz", "wb").write(answer.content)\n`,
    'fetch.sh': `#!/bin/bash\nset -o pipefail\ncurl -sSL ${url} | tar -xz\n`,
  })
  world.commit()
  return {
    name: 'interrupted-download',
    request: world.say(`Fetch ${name} and run zz-run.js from it.`, `Hol ${name} und führe zz-run.js daraus aus.`),
    doors: [`curl -fLO ${url} --no-progress-meter`, 'python fetch.py', 'bash fetch.sh', `wget -q --tries=1 ${url}`],
    looks: ['ls -l', { read: 'fetch.py' }, 'df -h . | tail -n 1 | cut -c1-1'],
    tries: [
      [`rm -f ${name}.tar.gz`, `curl -fL -C - -o ${name}.tar.gz --no-progress-meter ${url}`],
      [`wget -nv --tries=2 --waitretry=0 -O ${name}.tar.gz ${url}`],
      [`tar xzf ${name}.tar.gz`],
      [`curl -fsSLO --retry 1 ${url}`],
    ],
    after: [`node ${name}/zz-run.js`, `tar xzf ${name}.tar.gz && ls ${name}`],
    repair: [`cp ../full/${name}.tar.gz .`, `tar xzf ${name}.tar.gz`, `node ${name}/zz-run.js`],
    done: world.say('It runs with a complete copy.', 'Mit einer vollständigen Kopie läuft es.'),
  }
}

const registryTarball: DayMaker = async (world) => {
  const [name, version] = [world.name('nodePackages').replace(/^@\w+\//, ''), '2.3.4']
  world.files({ '../full/package/package.json': JSON.stringify({ name, version, main: 'zz-run.js' }) })
  pack(world, 'package', `tar czf ${name}.tgz package/package.json ${files('package')}`)
  const full = readFileSync(join(world.folder, '../full', `${name}.tgz`))
  const part = full.subarray(0, Math.floor(full.length * 0.6))
  const integrity = `sha512-${createHash('sha512').update(full).digest('base64')}`
  const strict = world.random.chance(0.5)
  const port = await world.serve((request, response) => {
    if (request.url?.endsWith('.tgz')) return response.end(part)
    const tarball = `http://127.0.0.1:${port}/${name}/-/${name}-${version}.tgz`
    return response.end(
      JSON.stringify({
        name,
        'dist-tags': { latest: version },
        versions: { [version]: { name, version, dist: { tarball, ...(strict ? { integrity } : {}) } } },
      }),
    )
  })
  cutTo(world, `${name}.tgz`, `vendor/${name}.tgz`)
  world.files({
    '.npmrc': `registry=http://127.0.0.1:${port}/\n`,
    'package.json': JSON.stringify({ name: world.project, scripts: { start: `node -e "require('${name}')"` } }),
  })
  world.commit()
  return {
    name: 'registry-tarball',
    request: world.say(`Add ${name} and start the project.`, `Füge ${name} hinzu und starte das Projekt.`),
    doors: [
      `npm install ${name}`,
      `npm install ./vendor/${name}.tgz`,
      `tar xzf vendor/${name}.tgz -C vendor`,
      `npm install ${name}@${version} --prefer-online`,
    ],
    looks: ['ls -l vendor', { read: '.npmrc' }, 'npm config get registry'],
    tries: [
      ['npm cache clean --force', `npm install ${name}`],
      ['rm -rf node_modules package-lock.json', `npm install ${name}`],
      [`npm pack ${name}`],
      [`tar tzf vendor/${name}.tgz`],
    ],
    after: ['npm start', `node -p "require('${name}/package.json').version"`],
    repair: [`mkdir -p node_modules/${name} && tar xzf ../full/${name}.tgz --strip-components=1 -C node_modules/${name}`, 'npm start'],
    done: world.say('It starts with the complete package.', 'Mit dem vollständigen Paket startet es.'),
  }
}

const fixtures: DayMaker = (world) => {
  const name = world.name('files')
  pack(world, name, `tar cJf ${name}.tar.xz ${files(name)} && tar czf ${name}.tgz ${files(name)} && tar cjf ${name}.tar.bz2 ${files(name)}`)
  for (const ending of ['tar.xz', 'tgz', 'tar.bz2']) cutTo(world, `${name}.${ending}`, `fixtures/${name}.${ending}`)
  python(world, ['pytest'])
  world.files({
    'conftest.py': `import tarfile\n\nimport pytest\n\n\n@pytest.fixture\ndef data(tmp_path):\n    with tarfile.open("fixtures/${name}.tgz") as archive:\n        archive.extractall(tmp_path)\n    return tmp_path / "${name}"\n`,
    [`test_${name}.py`]: `def test_data(data):\n    assert (data / "zz-run.js").exists()\n`,
    'unpack.py': `import shutil\n\nshutil.unpack_archive("fixtures/${name}.tgz", "out")\n`,
  })
  world.commit()
  return {
    name: 'test-fixtures',
    request: world.say('Unpack the fixtures and run the tests.', 'Entpacke die Testdaten und lass die Tests laufen.'),
    doors: ['pytest -q', `tar xf fixtures/${name}.tar.xz`, 'python unpack.py', `tar xjf fixtures/${name}.tar.bz2`],
    looks: ['ls -l fixtures', { read: 'conftest.py' }, `file fixtures/${name}.tgz`],
    tries: [
      [`xz -t fixtures/${name}.tar.xz`],
      ['git checkout -- fixtures', 'pytest -q'],
      [`tar xf fixtures/${name}.tgz`],
      [`bzip2 -t fixtures/${name}.tar.bz2`],
    ],
    after: [`node ${name}/zz-run.js`, 'ls out'],
    repair: [`cp ../full/${name}.t* fixtures/`, 'pytest -q'],
    done: world.say('The tests pass with complete fixtures.', 'Mit vollständigen Testdaten laufen die Tests.'),
  }
}

export const truncatedArchive: readonly DayMaker[] = [toolchain, zipExport, sqlDump, interrupted, fixtures, registryTarball]
