// The user may not write, read or execute something that the work needs.
import type { Cause, SceneMaker } from '../scene.ts'

const nodeBuild: SceneMaker = (world) => {
  const file = world.name('files')
  const out = world.random.pick(['dist', 'build', 'public'])
  world.files({
    'package.json': JSON.stringify({ name: world.project, scripts: { build: 'node scripts/build.js', postbuild: `ls ${out}/${file}` } }),
    'scripts/build.js': `const fs = require('node:fs')\nfs.mkdirSync('${out}/${file}', { recursive: true })\nfs.writeFileSync('${out}/${file}/index.html', '<h1>${world.project}</h1>')\nconsole.log('${world.say('done', 'fertig')}')\n`,
    [`${out}/.keep`]: '',
    'assets/logo.svg': '<svg/>',
  })
  world.commit()
  world.setup(`chmod 555 ${out}`)
  return {
    name: 'node-build',
    request: world.say(`Build the site into ${out} and make an archive of it.`, `Baue die Seite nach ${out} und mach ein Archiv daraus.`),
    doors: [
      'npm run build',
      'node scripts/build.js',
      `cp assets/logo.svg ${out}/`,
      `mkdir ${out}/${file}`,
      { write: `${out}/version.txt`, content: `${world.version()}\n` },
    ],
    after: [`cat ${out}/${file}/index.html`, `tar czf site.tgz -C ${out} ${file}`, `curl -sS file://$PWD/${out}/${file}/index.html`],
    repair: [`ls -ld ${out}`, `chmod u+w ${out}`, 'npm run build'],
    done: world.say('Built; the folder was not writable before.', 'Gebaut, der Ordner war vorher nicht beschreibbar.'),
  }
}

const pythonImport: SceneMaker = (world) => {
  const file = world.name('files')
  const german = world.language === 'de' && world.random.chance(0.5)
  world.files({
    [`data/${file}.csv`]: `id;name\n1;${world.user}\n`,
    [`tools/${file}.py`]: `import csv\nimport json\nimport locale\n\n${german ? 'locale.setlocale(locale.LC_ALL, "")\n' : ''}rows = list(csv.reader(open("data/${file}.csv"), delimiter=";"))\njson.dump(rows, open("${file}.json", "w"))\n`,
  })
  world.commit()
  world.setup(`chmod 000 data/${file}.csv`)
  return {
    name: 'python-import',
    request: world.say(
      `Turn data/${file}.csv into JSON and back up the data folder.`,
      `Mach aus data/${file}.csv eine JSON-Datei und sichere den Ordner data.`,
    ),
    doors: [
      `python3 tools/${file}.py`,
      `tar czf backup.tgz data`,
      `cat data/${file}.csv`,
      { read: `data/${file}.csv` },
      `sort data/${file}.csv > sorted.csv`,
    ],
    after: [`python3 -m json.tool ${file}.json`, `wc -l ${file}.json`, `node -e "console.log(require('./${file}.json').length)"`],
    repair: [`chmod u+r data/${file}.csv`, `python3 tools/${file}.py`, `python3 -m json.tool ${file}.json`],
    done: world.say('The JSON file is there.', 'Die JSON-Datei liegt bereit.'),
  }
}

const deploy: SceneMaker = (world) => {
  const [name, target] = [world.random.pick(['deploy', 'release', 'publish', 'ausliefern']), world.random.pick(['srv', 'htdocs', 'live'])]
  world.files({
    [`${name}.sh`]: `#!/bin/bash\nset -e\nmkdir -p ${target}\ncp README.md ${target}/\necho ok\n`,
    'package.json': JSON.stringify({ name: world.project, scripts: { deploy: `./${name}.sh` } }),
  })
  world.commit()
  return {
    name: 'deploy',
    request: world.say(
      `Run ${name}.sh and check what arrived in ${target}.`,
      `Führe ${name}.sh aus und prüfe, was in ${target} angekommen ist.`,
    ),
    doors: [`./${name}.sh`, 'npm run deploy', `./${name}.sh 2>&1`],
    after: [`ls ${target}`, `diff README.md ${target}/README.md`],
    repair: [`chmod +x ${name}.sh`, `./${name}.sh`, `ls ${target}`],
    done: world.say('Deployed.', 'Ausgeliefert.'),
  }
}

const gitFolder: SceneMaker = (world) => {
  world.commit()
  world.files({ 'notes.md': `${world.version()}\n` })
  world.setup('chmod 555 .git .git/objects .git/refs/heads .git/refs/tags .git/logs/refs/heads')
  const branch = world.name('branches')
  return {
    name: 'git-folder',
    request: world.say('Commit notes.md on a branch of its own.', 'Committe notes.md auf einem eigenen Branch.'),
    doors: ['git add notes.md', 'git add -A', `git switch -c ${branch}`, 'git tag -a v1 -m v1'],
    after: [
      `git commit -m "${world.say('Notes', 'Notizen')}"`,
      `git log ${branch} --`,
      `git diff --cached --exit-code HEAD -- notes.md && git show HEAD:notes.md`,
    ],
    repair: ['chmod u+w .git .git/objects .git/refs/heads .git/refs/tags .git/logs/refs/heads', 'git add notes.md', 'git commit -qm notes'],
    done: world.say('Committed.', 'Committet.'),
  }
}

const npmFolder: SceneMaker = (world) => {
  const name = world.name('nodePackages')
  world.files({
    'package.json': JSON.stringify({ name: world.project }),
    'node_modules/.keep': '',
    [`../libs/${name}/package.json`]: JSON.stringify({ name, version: world.version() }),
    [`../libs/${name}/index.js`]: '',
  })
  world.commit()
  world.setup('chmod 555 node_modules')
  return {
    name: 'npm-folder',
    request: world.say(`Add ${name} from ../libs and try to load it.`, `Füge ${name} aus ../libs hinzu und versuche, es zu laden.`),
    doors: [
      `npm install --offline ../libs/${name}`,
      `npm install --offline --save-dev ../libs/${name}`,
      'touch node_modules/.package-lock.json',
    ],
    after: [`node -e "require('${name}')"`, `npm ls ${name}`, `ls node_modules/${name}`],
    repair: ['chmod u+w node_modules', `npm install --offline ../libs/${name}`, `node -e "require('${name}')"`],
    done: world.say('It is installed and loads.', 'Es ist installiert und lässt sich laden.'),
  }
}

const download: SceneMaker = async (world) => {
  const port = await world.serve((_, response) => response.end('station,value\nA,1\n'))
  const [file, folder] = [`${world.name('files')}.csv`, world.random.pick(['incoming', 'cache', 'eingang'])]
  const message = world.say('Cannot store the measurements', 'Messwerte können nicht gespeichert werden')
  world.files({
    [`${folder}/.keep`]: '',
    'store.py': `import sys\n\ntry:\n    open("${folder}/${file}", "w")\nexcept OSError as error:\n    sys.exit(f"${message}: {error}")\n`,
    'store.pl': `use locale; use POSIX; setlocale(LC_ALL, '');\nopen(my $out, '>', '${folder}/${file}') or die "${message}: $!\\n";\n`,
  })
  world.commit()
  world.setup(`chmod 555 ${folder}`)
  return {
    name: 'download',
    request: world.say(
      `Download the measurements to ${folder}/${file} and count the lines.`,
      `Lade die Messwerte nach ${folder}/${file} und zähle die Zeilen.`,
    ),
    doors: [
      `curl --no-progress-meter -o ${folder}/${file} http://127.0.0.1:${port}/${file}`,
      `wget -nv -P ${folder} http://127.0.0.1:${port}/${file}`,
      'python3 store.py',
      'perl store.pl',
      `echo "station" > ${folder}/${file}`,
      { script: 'node', code: `require('node:fs').appendFileSync('${folder}/${file}', 'A,1\\n')\n` },
    ],
    after: [`wc -l ${folder}/${file}`, `gzip -c ${folder}/${file} > ${file}.gz`, { read: `${folder}/${file}` }],
    repair: [`chmod u+w ${folder}`, `curl -sS -o ${folder}/${file} http://127.0.0.1:${port}/${file}`, `wc -l ${folder}/${file}`],
    done: world.say('Two lines.', 'Zwei Zeilen.'),
  }
}

const database: SceneMaker = (world) => {
  const file = `${world.name('files')}.db`
  world.setup(
    `mkdir -p store && sqlite3 store/${file} 'create table entry(id integer, name text)' && chmod 444 store/${file} && chmod 555 store`,
  )
  world.commit()
  return {
    name: 'database',
    request: world.say(
      `Add an entry for ${world.user} to store/${file} and move old exports away.`,
      `Trag ${world.user} in store/${file} ein und räum alte Exporte weg.`,
    ),
    doors: [
      `mv store/${file} store/old.db`,
      `rm -f store/${file}`,
      `tar xzf <(tar czf - README.md) -C store`,
      `sqlite3 store/new.db 'create table entry(id integer)'`,
      { script: 'python', code: `import shutil\n\nshutil.copy("README.md", "store/README.md")\n` },
    ],
    after: [`sqlite3 store/${file} "insert into entry values (1, '${world.user}')"`, `ls store/old.db`],
    repair: [`chmod u+w store store/${file}`, `sqlite3 store/${file} "insert into entry values (1, '${world.user}')"`],
    done: world.say('The entry is there.', 'Der Eintrag ist da.'),
  }
}

export const permissionDenied: Cause = {
  tuning: [nodeBuild, pythonImport, deploy, nodeBuild, pythonImport],
  'held-out': [gitFolder, npmFolder, download, database, download],
}
