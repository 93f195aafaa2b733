// Files that a container, another user or an archive left with the wrong rights.
import { denial } from '../denial.ts'
import type { World } from '../world.ts'
import type { DayMaker } from './day.ts'
import { nodeTools, python } from './tools.ts'

const asked = (world: World, command: string) =>
  ({ refused: 'shell.exec', arguments: { command }, failure: denial(world, 'shell.exec', command) }) as const

const wrapper: DayMaker = (world) => {
  const [name, task] = [world.random.pick(['gradlew', 'mvnw', 'bin/console', 'run.sh']), world.random.pick(['build', 'test', 'check'])]
  world.files({
    [name]: `#!/bin/sh\nmkdir -p out && echo "$1" > out/result.txt\necho "BUILD SUCCESSFUL"\n`,
    Makefile: `${task}:\n\t./${name} ${task}\n`,
    'package.json': JSON.stringify({ name: world.project, scripts: { [`native:${task}`]: `./${name} ${task}` } }),
  })
  world.commit()
  return {
    name: 'wrapper',
    request: world.say(
      `Run the ${task} with ./${name} and show out/result.txt.`,
      `Führe ${task} mit ./${name} aus und zeig out/result.txt.`,
    ),
    doors: [`./${name} ${task}`, `make ${task}`, `npm run native:${task}`, `$PWD/${name} ${task}`],
    looks: [`ls -l ${name}`, { read: name }, 'id'],
    tries: [
      [asked(world, `sudo ./${name} ${task}`)],
      ['git status --short', `./${name} --help`],
      [`exec ./${name} ${task}`],
      [`env ./${name} ${task}`],
    ],
    after: ['cat out/result.txt', `cp out/result.txt /var/tmp/`],
    repair: [`chmod +x ${name}`, `./${name} ${task}`, 'cat out/result.txt'],
    done: world.say('It runs; the file was not executable.', 'Es läuft, die Datei war nicht ausführbar.'),
  }
}

const rootDist: DayMaker = (world) => {
  const file = world.name('files')
  nodeTools(world, ['vite', 'typescript'])
  world.files({
    'package.json': JSON.stringify({
      name: world.project,
      type: 'module',
      scripts: { build: 'vite build', types: 'tsc -p .', clean: 'rm -rf dist' },
    }),
    'tsconfig.json': JSON.stringify({
      compilerOptions: { outDir: 'dist/types', target: 'es2022', module: 'esnext', types: [] },
      include: ['src'],
    }),
    'index.html': `<script type="module" src="/src/${file}.ts"></script>\n`,
    [`src/${file}.ts`]: `document.title = '${world.project}'\nexport {}\n`,
    'dist/assets/old.js': '',
  })
  world.commit()
  world.setup('chmod 555 dist dist/assets')
  return {
    name: 'container-dist',
    request: world.say(
      'Rebuild the frontend; the last build was made in the container.',
      'Baue das Frontend neu, der letzte Build kam aus dem Container.',
    ),
    doors: ['npm run build', 'rm -rf dist', 'npm run types', 'npx vite build'],
    looks: ['ls -la dist', 'id -un', { read: 'package.json' }],
    tries: [
      ['npm run clean'],
      [asked(world, 'sudo rm -rf dist')],
      ['mv dist/assets/old.js /var/tmp/'],
      ['npx vite build --emptyOutDir'],
      ['find dist -type f -delete'],
    ],
    after: ['cat dist/index.html', 'cp README.md dist/'],
    repair: ['chmod -R u+w dist', 'npm run build', 'ls dist'],
    done: world.say('Rebuilt.', 'Neu gebaut.'),
  }
}

const npmCache: DayMaker = (world) => {
  const name = world.name('nodePackages')
  const local = `${world.base}/usr/local/lib`
  world.files({
    'package.json': JSON.stringify({ name: world.project, version: '1.0.0', bin: { [world.project]: 'cli.js' } }),
    'cli.js': '#!/usr/bin/env node\nconsole.log("ok")\n',
    [`../libs/${name}/package.json`]: JSON.stringify({ name, version: '1.0.0' }),
    [`../libs/${name}/index.js`]: '',
    'node_modules/.keep': '',
  })
  world.setup(
    `cd ../libs/${name} && npm pack --silent --pack-destination .. > /dev/null && mkdir -p ~/.npm/_cacache/tmp && mkdir -p ${local}/node_modules ${world.base}/usr/local/bin`,
  )
  world.commit()
  world.setup(`chmod 555 ${local} ${local}/node_modules node_modules; find ~/.npm -type d -exec chmod 555 {} +`)
  return {
    name: 'root-owned-npm',
    request: world.say(`Install ${name} here and the command line globally.`, `Installiere ${name} hier und das Kommando global.`),
    doors: [
      'npm install -g --offline .',
      `npm install --offline ../libs/${name}`,
      `npm install --offline ../libs/*.tgz`,
      'npm link --offline',
    ],
    looks: ['ls -ld node_modules ~/.npm', 'npm config get prefix', 'id'],
    tries: [
      ['npm cache clean --force'],
      [asked(world, 'sudo chown -R $USER ~/.npm')],
      [asked(world, 'sudo npm install -g .')],
      ['rm -rf node_modules/.cache', 'touch node_modules/.package-lock.json'],
    ],
    after: [`node -e "require('${name}')"`, `ls ${local}/node_modules/${world.project}`],
    repair: [`chmod u+w node_modules && chmod -R u+w ~/.npm`, `npm install --offline ../libs/${name}`, `node -e "require('${name}')"`],
    done: world.say('Installed here; globally you would need more rights.', 'Hier installiert, global fehlen die Rechte.'),
  }
}

const systemLog: DayMaker = (world) => {
  const log = `${world.base}/var/log/${world.project}`
  python(world, ['flask', 'pytest'])
  world.files({
    'settings.py': `LOG = "${log}/app.log"\n`,
    'app.py': 'from settings import LOG\n\nwith open(LOG, "a") as log:\n    log.write("start\\n")\nprint("started")\n',
    'tests/test_app.py': 'def test_log():\n    import app\n\n    assert app.LOG\n',
    'conftest.py': '',
    'rotate.sh': `#!/bin/bash\nset -e\nmv ${log}/app.log ${log}/app.log.1\ntouch ${log}/app.log\n`,
  })
  world.setup(`mkdir -p ${log} && echo old > ${log}/app.log && chmod 444 ${log}/app.log && chmod 555 ${log}`)
  world.commit()
  return {
    name: 'system-log',
    request: world.say(
      'Start the app and show me the newest line of its log.',
      'Starte die App und zeig mir die neueste Zeile im Protokoll.',
    ),
    doors: ['python app.py', 'pytest -q', 'bash rotate.sh', `echo test >> ${log}/app.log`],
    looks: [`ls -la ${log}`, 'whoami', { read: 'settings.py' }],
    tries: [
      [asked(world, `sudo chown $USER ${log}`)],
      [`mkdir ${log}/new`],
      [`rm -f ${log}/app.log`],
      [{ write: `${log}/app.log`, content: '' }],
      ['LOG=app.log python app.py'],
    ],
    after: [`tail -n 1 ${log}/app.log | grep start`, `gzip ${log}/app.log`],
    repair: [`chmod u+w ${log} ${log}/app.log`, 'python app.py', `tail -n 1 ${log}/app.log`],
    done: world.say('It logs again.', 'Es protokolliert wieder.'),
  }
}

const uploads: DayMaker = (world) => {
  const folder = world.random.pick(['uploads', 'media', 'anhaenge'])
  world.files({
    [`${folder}/2026/a.txt`]: 'a\n',
    [`${folder}/2026/private/b.txt`]: 'b\n',
    'backup.py': `import shutil\n\nshutil.copytree("${folder}", "backup")\nprint("ok")\n`,
    'backup.js': `require('node:fs').cpSync('${folder}', 'backup-js', { recursive: true })\n`,
  })
  world.commit()
  world.setup(`chmod 000 ${folder}/2026/private`)
  return {
    name: 'uploads-backup',
    request: world.say(`Back up ${folder} before the migration.`, `Sichere ${folder} vor der Migration.`),
    doors: [
      `cp -r ${folder} backup-cp`,
      `tar czf ${folder}.tgz ${folder}`,
      'python3 backup.py',
      'node backup.js',
      `zip -qr ${folder}.zip ${folder}`,
    ],
    looks: [`ls -la ${folder}/2026`, 'id', `find ${folder} -type d`],
    tries: [
      [asked(world, `sudo tar czf ${folder}.tgz ${folder}`)],
      [`tar czf ${folder}.tgz --ignore-failed-read ${folder}`],
      [`ls ${folder}/2026/private`],
      [{ list: `${folder}/2026/private` }],
      [`cp -a ${folder} backup2`],
    ],
    after: [`tar tzf ${folder}.tgz | grep b.txt`, `cat backup-cp/2026/private/b.txt`, `diff -r ${folder} backup-cp`],
    repair: [`chmod u+rwx ${folder}/2026/private`, `tar czf ${folder}.tgz ${folder}`, `tar tzf ${folder}.tgz | grep b.txt`],
    done: world.say('The backup is complete.', 'Die Sicherung ist vollständig.'),
  }
}

const checkout: DayMaker = (world) => {
  const branch = world.name('branches')
  world.files({ 'assets/icon.svg': '<svg/>\n' })
  world.commit()
  world.setup(`git switch -qc ${branch}`)
  world.files({ 'assets/icon.svg': '<svg><path/></svg>\n' })
  world.commit(world.say('New icon', 'Neues Symbol'))
  world.setup(
    'git switch -q main && echo "- icon" >> CHANGELOG.md && find .git/objects -maxdepth 1 -type d -exec chmod 555 {} + && chmod 555 assets .git/refs/heads',
  )
  return {
    name: 'root-owned-git',
    request: world.say(`Commit the changelog and switch to ${branch}.`, `Committe das Changelog und wechsle auf ${branch}.`),
    doors: [
      'git add CHANGELOG.md',
      `git commit -am "${world.say('Changelog', 'Änderungen')}"`,
      `git checkout ${branch} -- assets`,
      'git stash',
    ],
    looks: ['ls -la .git', 'git status', 'id -un'],
    tries: [
      [asked(world, 'sudo chown -R $USER .git')],
      ['rm -f .git/index.lock', 'git add -A'],
      ['git gc'],
      ['git config core.sharedRepository group'],
    ],
    after: ['git diff --cached --quiet && git commit -m changelog', `git switch -c release`],
    repair: ['chmod -R u+w .git assets', 'git add CHANGELOG.md', 'git commit -qm changelog'],
    done: world.say('Committed; the folder belonged to another user.', 'Committet, der Ordner war schreibgeschützt.'),
  }
}

const readOnlyConfig: DayMaker = (world) => {
  const file = world.random.pick(['.env.production', 'config/secrets.yml', 'nginx/site.conf'])
  world.files({
    [file]: `level: info\nport: 80\n`,
    'deploy.sh': `#!/bin/bash\nset -e\nsed -i 's/info/warn/' ${file}\necho deployed > deployed.txt\n`,
    'load.js': `const fs = require('node:fs')\nfs.writeFileSync('${file}', fs.readFileSync('${file}', 'utf8').replace('info', 'warn'))\n`,
  })
  world.commit()
  world.setup(`chmod 400 ${file}${file.includes('/') ? ` && chmod 555 ${file.replace(/\/.*/, '')}` : ''}`)
  const writing = `echo 'level: warn' > ${file}`
  return {
    name: 'protected-config',
    request: world.say(`Set the level in ${file} to warn and deploy.`, `Setz die Stufe in ${file} auf warn und liefere aus.`),
    doors: [{ edit: file, old: 'info', new: 'warn' }, 'node load.js', writing, { write: file, content: 'level: warn\n' }],
    looks: [`ls -l ${file}`, { read: file }, 'id -un'],
    tries: [
      [asked(world, `sudo sed -i s/info/warn/ ${file}`)],
      [`cp README.md ${file}`],
      [`tee ${file} < README.md > /dev/null`],
      [writing],
    ],
    after: [`grep warn ${file}`, 'cat deployed.txt'],
    repair: [`chmod u+w ${file} $(dirname ${file})`, 'bash deploy.sh', `grep warn ${file}`],
    done: world.say('Deployed with the level warn.', 'Mit der Stufe warn ausgeliefert.'),
  }
}

export const permissionDenied: readonly DayMaker[] = [wrapper, rootDist, systemLog, npmCache, uploads, checkout, readOnlyConfig]
