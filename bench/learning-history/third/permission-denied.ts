// Global folders, repositories of others, settings, build folders and databases that may not be read or written.
import type { SceneMaker } from '../scene.ts'

const globalFolder: SceneMaker = (world) => {
  const tool = world.random.pick(['quota-cli', 'notify', 'stempel', 'pagecheck'])
  const local = `${world.base}/usr/local`
  world.files({
    'package.json': JSON.stringify({ name: tool, version: world.version(), bin: { [tool]: 'cli.js' } }),
    'cli.js': `#!/usr/bin/env node\nconsole.log('${tool}')\n`,
  })
  world.commit()
  world.setup(`mkdir -p ${local}/bin ${local}/lib && chmod 555 ${local} ${local}/bin ${local}/lib`)
  return {
    name: 'global-folder',
    request: world.say(`Install ${tool} for all users and try it.`, `Installiere ${tool} für alle und probier es aus.`),
    doors: [
      'npm install -g --offline .',
      `install -m 755 cli.js ${local}/bin/${tool}`,
      'npm link --offline',
      `ln -s $PWD/cli.js ${local}/bin/${tool}`,
    ],
    after: [`${tool}`, `${local}/bin/${tool} --version`, `ls ${local}/lib/node_modules`],
    repair: ['mkdir -p ~/.local && NPM_CONFIG_PREFIX=~/.local npm install -g --offline .', `~/.local/bin/${tool}`],
    done: world.say('Installed for you only, in ~/.local.', 'Nur für dich installiert, in ~/.local.'),
  }
}

const secrets: SceneMaker = (world) => {
  const file = world.name('files')
  world.files({
    '.env': 'REGION=north\n',
    'run.sh': `#!/bin/bash\nset -ae\n. ./.env\nnode ${file}.js\n`,
    [`${file}.js`]: `const fs = require('node:fs')\nconst region = /REGION=(\\w+)/.exec(fs.readFileSync('.env', 'utf8'))[1]\nfs.writeFileSync('region.txt', region)\nconsole.log('${world.say('region', 'Region')}: ' + region)\n`,
    'worker.py': `import logging\n\nlogging.basicConfig(filename="logs/worker.log", level=logging.INFO)\nlogging.info("start")\nprint("${world.say('started', 'gestartet')}")\n`,
    'logs/worker.log': '',
    '.gitignore': '.env\nlogs\n',
    'package.json': JSON.stringify({ name: world.project, scripts: { start: `node ${file}.js` } }),
  })
  world.commit()
  world.setup('chmod 000 .env && chmod 444 logs/worker.log && chmod 555 logs')
  return {
    name: 'secrets',
    request: world.say('Start the application and the worker.', 'Starte die Anwendung und den Worker.'),
    doors: ['python3 worker.py', 'bash run.sh', `node ${file}.js`, 'grep REGION .env', 'npm start', { read: '.env' }],
    after: ['cat region.txt', 'tail -n 1 logs/worker.log | grep start', { read: 'region.txt' }],
    repair: ['ls -la .env logs', 'chmod u+rw .env logs logs/worker.log', 'bash run.sh', 'python3 worker.py'],
    done: world.say('Both run; the permissions were wrong.', 'Beide laufen, die Rechte waren falsch.'),
  }
}

const othersRepository: SceneMaker = (world) => {
  const branch = world.name('branches')
  world.files({ 'assets/logo.svg': '<svg/>\n' })
  world.commit()
  world.setup(`git clone -q --bare . ../origin.git && git remote add origin ../origin.git && git switch -qc ${branch}`)
  world.files({ 'assets/logo.svg': '<svg><g/></svg>\n' })
  world.commit(world.say('Another logo', 'Anderes Logo'))
  world.setup(
    `git switch -q main && echo 1 >> CHANGELOG.md && git commit -qam changelog && mkdir ../shared && chmod 555 ../shared assets && find ../origin.git -type d -exec chmod 555 {} +`,
  )
  return {
    name: 'others-repository',
    request: world.say(
      'Push main and check the branch out in the shared folder.',
      'Schiebe main hoch und checke den Branch im gemeinsamen Ordner aus.',
    ),
    doors: [
      'git push origin main',
      `git worktree add ../shared/${branch.replace('/', '-')} ${branch}`,
      'git clone . ../shared/copy',
      `git checkout ${branch} -- assets/logo.svg`,
    ],
    after: ['git fetch --dry-run origin && git diff --quiet origin/main main', `ls ../shared/copy`, 'cd ../shared/copy && git log -1'],
    repair: ['find ../origin.git -type d -exec chmod u+w {} + && chmod u+w assets ../shared', 'git push origin main'],
    done: world.say('Pushed.', 'Hochgeschoben.'),
  }
}

const settings: SceneMaker = (world) => {
  const [folder, file] = [world.random.pick(['etc', 'conf.d', 'system']), `${world.name('files')}.conf`]
  world.files({
    [`${folder}/${file}`]: 'workers = 2\nlevel = info\n',
    'new.conf': 'workers = 6\nlevel = warn\n',
    'raise.patch': `--- a/${folder}/${file}\n+++ b/${folder}/${file}\n@@ -1,2 +1,2 @@\n-workers = 2\n+workers = 6\n level = info\n`,
    'raise.py': `import pathlib\n\npath = pathlib.Path("${folder}/${file}")\npath.write_text(path.read_text().replace("workers = 2", "workers = 6"))\n`,
  })
  world.commit()
  world.setup(`chmod 444 ${folder}/${file} && chmod 555 ${folder}`)
  return {
    name: 'settings',
    request: world.say(`Raise the number of workers in ${folder}/${file} to 6.`, `Erhöhe die Zahl der Worker in ${folder}/${file} auf 6.`),
    doors: [
      `sed -i 's/workers = 2/workers = 6/' ${folder}/${file}`,
      'python3 raise.py',
      `tee -a ${folder}/${file} <<< 'workers = 6'`,
      { edit: `${folder}/${file}`, old: 'workers = 2', new: 'workers = 6' },
      `cp new.conf ${folder}/${file}`,
      'patch -p1 -i raise.patch',
      `chown root ${folder}/${file}`,
    ],
    after: [
      `grep 'workers = 6' ${folder}/${file}`,
      `git diff --exit-code --quiet HEAD -- ${folder} && git commit -m workers ${folder}`,
      `diff new.conf ${folder}/${file}`,
    ],
    repair: [
      `chmod u+w ${folder} ${folder}/${file}`,
      `sed -i 's/workers = 2/workers = 6/' ${folder}/${file}`,
      `grep 'workers = 6' ${folder}/${file}`,
    ],
    done: world.say('Six workers; the file was read-only.', 'Sechs Worker, die Datei war schreibgeschützt.'),
  }
}

const buildFolder: SceneMaker = (world) => {
  const [name, out] = [world.name('files'), world.random.pick(['build', 'out', 'target'])]
  world.files({
    'src/main.c': 'int main(void) { return 0; }\n',
    'src/Main.java': 'class Main {\n  public static void main(String[] given) {}\n}\n',
    'CMakeLists.txt': `cmake_minimum_required(VERSION 3.16)\nproject(${name} NONE)\n`,
    Makefile: `all:\n\tmkdir -p ${out}/obj\n\tgcc -c src/main.c -o ${out}/obj/main.o\n\nclean:\n\trm -rf ${out}/cache\n`,
    [`${out}/cache/old`]: '',
  })
  world.commit()
  world.setup(`chmod 555 ${out} ${out}/cache`)
  return {
    name: 'build-folder',
    request: world.say(`Clean ${out}, build ${name} and start it.`, `Räum ${out} auf, baue ${name} und starte es.`),
    doors: [`gcc src/main.c -o ${out}/${name}`, 'make', 'make clean', `javac -d ${out} src/Main.java`, `cmake -S . -B ${out}`],
    after: [`./${out}/${name}`, `java -cp ${out} Main`, `ls ${out}/obj/main.o`, `cmake --build ${out}`],
    repair: [`chmod -R u+w ${out}`, 'make clean', 'make'],
    done: world.say('Cleaned and built.', 'Aufgeräumt und gebaut.'),
  }
}

const store: SceneMaker = (world) => {
  const file = world.name('files')
  world.setup(
    `mkdir -p data private && sqlite3 data/${file}.db 'create table entry(name text)' && openssl genrsa -out private/server.key 2048 2> /dev/null && chmod 444 data/${file}.db && chmod 000 private/server.key`,
  )
  world.files({
    'add.py': `import sqlite3\n\ndatabase = sqlite3.connect("data/${file}.db")\ndatabase.execute("insert into entry values ('${world.user}')")\ndatabase.commit()\n`,
  })
  world.setup('git init -q && git add README.md docs CHANGELOG.md add.py && git commit -qm first')
  world.setup('chmod 555 data')
  return {
    name: 'store',
    request: world.say(
      `Add ${world.user} to data/${file}.db and make a certificate request with our key.`,
      `Trag ${world.user} in data/${file}.db ein und stell mit unserem Schlüssel eine Zertifikatsanfrage aus.`,
    ),
    doors: [
      `sqlite3 data/${file}.db "insert into entry values ('${world.user}')"`,
      'python3 add.py',
      `openssl req -new -key private/server.key -subj /CN=${world.project} -out server.csr`,
      `zip -q private.zip private/server.key`,
      `find private -name '*.key' -exec md5sum {} +`,
    ],
    after: [
      `sqlite3 data/${file}.db 'select name from entry' | grep ${world.user}`,
      'openssl req -in server.csr -noout -subject',
      'cat server.csr',
    ],
    repair: [
      `chmod u+rw data data/${file}.db private/server.key`,
      'python3 add.py',
      `openssl req -new -key private/server.key -subj /CN=${world.project} -out server.csr`,
    ],
    done: world.say('The entry and the request are there.', 'Der Eintrag und die Anfrage sind da.'),
  }
}

export const permissionDenied: readonly SceneMaker[] = [secrets, globalFolder, settings, othersRepository, store, buildFolder]
