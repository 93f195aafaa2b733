// Something is ended because the time it was given is too short; with more time it would succeed.
import type { Cause, SceneMaker } from '../scene.ts'

const seconds = 3
const steps = 6

const migration: SceneMaker = (world) => {
  const file = world.name('files')
  const rows = world.random.integer(400, 90_000)
  world.files({
    'package.json': JSON.stringify({ name: world.project, scripts: { migrate: `node scripts/${file}.js` } }),
    [`scripts/${file}.js`]: `const fs = require('node:fs')\nlet step = 0\nconst timer = setInterval(() => {\n  step += 1\n  console.log(\`${world.say('migrated', 'übertragen')}: \${step * ${rows}} ${world.say('rows', 'Zeilen')}\`)\n  if (step < ${steps}) return\n  clearInterval(timer)\n  fs.writeFileSync('${file}.json', JSON.stringify({ step }))\n}, ${(1_000 * seconds) / steps})\n`,
  })
  world.commit()
  return {
    name: 'migration',
    request: world.say('Migrate the data and show the summary.', 'Übertrage die Daten und zeig die Zusammenfassung.'),
    doors: [
      { command: `node scripts/${file}.js`, seconds: 1 },
      { command: 'npm run migrate', seconds: 2 },
      `timeout 1 node scripts/${file}.js`,
      { command: `node scripts/${file}.js > migrate.log`, seconds: 2 },
    ],
    after: [`cat ${file}.json`, { read: `${file}.json` }, `tar czf ${file}.tgz ${file}.json`],
    repair: [{ command: `node scripts/${file}.js`, seconds: 15 }, `cat ${file}.json`],
    done: world.say('The migration needs a few seconds; it is complete.', 'Die Übertragung braucht einige Sekunden, sie ist vollständig.'),
  }
}

const training: SceneMaker = (world) => {
  const file = world.name('files')
  world.files({
    [`${file}.py`]: `import pathlib\nimport sys\nimport time\n\nlock = pathlib.Path(".${file}.lock")\nif lock.exists():\n    sys.exit("${world.say('Another computation has not finished', 'Eine andere Berechnung ist noch nicht beendet')}: .${file}.lock")\nlock.touch()\nfor step in range(${steps}):\n    time.sleep(${seconds / steps})\n    print("${world.say('pass', 'Durchgang')}", step + 1, flush=True)\nlock.unlink()\npathlib.Path("${file}.out").write_text("0.93")\n`,
    Makefile: `${file}.out:\n\tpython3 ${file}.py\n`,
  })
  world.commit()
  return {
    name: 'computation',
    request: world.say(`Compute ${file}.out and tell me the value.`, `Berechne ${file}.out und nenne mir den Wert.`),
    doors: [
      { command: `python3 ${file}.py`, seconds: 1 },
      `timeout 1s python3 ${file}.py`,
      { command: `make ${file}.out`, seconds: 2 },
      { script: 'python', code: `import runpy\n\nrunpy.run_path("${file}.py")\n`, seconds: 1 },
    ],
    after: [`cat ${file}.out`, `python3 ${file}.py`, `sort -n ${file}.out`],
    repair: [`rm -f .${file}.lock`, { command: `python3 ${file}.py`, seconds: 20 }, `cat ${file}.out`],
    done: world.say('The value is 0.93.', 'Der Wert ist 0,93.'),
  }
}

const slowDownload: SceneMaker = async (world) => {
  const file = `${world.name('files')}.json`
  const port = await world.slow(1_000 * seconds, '{"rows":[1,2,3]}')
  world.commit()
  return {
    name: 'slow-download',
    request: world.say(`Download ${file} and count its rows.`, `Lade ${file} herunter und zähle die Zeilen.`),
    doors: [
      `curl -sS --max-time 1 -o ${file} http://127.0.0.1:${port}/${file}`,
      `curl -fsS -m 2 http://localhost:${port}/${file} > ${file}.part && mv ${file}.part ${file}`,
      { command: `curl -s -o ${file} http://127.0.0.1:${port}/${file}`, seconds: 1 },
    ],
    after: [`node -p "require('./${file}').rows.length"`, `python3 -m json.tool ${file}`],
    repair: [
      { command: `curl -sS --max-time 20 -o ${file} http://127.0.0.1:${port}/${file}`, seconds: 20 },
      `node -p "require('./${file}').rows.length"`,
    ],
    done: world.say('Three rows.', 'Drei Zeilen.'),
  }
}

const limitedTests: SceneMaker = (world) => {
  const file = world.name('files')
  world.files({
    'package.json': JSON.stringify({ name: world.project, scripts: { test: 'node --test --test-timeout=700', posttest: 'touch tested' } }),
    [`test/${file}.test.js`]: `const test = require('node:test')\n\ntest('${world.say('imports everything', 'importiert alles')}', () => new Promise((resolve) => setTimeout(resolve, ${1_000 * seconds})))\n`,
  })
  world.commit()
  return {
    name: 'limited-tests',
    request: world.say(
      'Run the tests; the build needs the file tested afterwards.',
      'Führe die Tests aus, der Build braucht danach die Datei tested.',
    ),
    doors: [
      'npm test',
      'node --test --test-timeout=900',
      { command: 'node --test', seconds: 2 },
      `node --test --test-timeout=500 test/${file}.test.js`,
    ],
    after: ['ls tested', 'git add tested'],
    repair: [{ command: 'node --test --test-timeout=20000 && touch tested', seconds: 30 }, 'ls tested'],
    done: world.say('They pass with more time.', 'Mit mehr Zeit laufen sie durch.'),
  }
}

const clients: SceneMaker = async (world) => {
  const name = world.name('files')
  const port = await world.slow(1_000 * seconds, '{"version":"2.0.1"}')
  const url = `http://127.0.0.1:${port}/${name}`
  const message = world.say('No answer in time', 'Keine Antwort innerhalb der Frist')
  world.files({
    'ask.mjs': `const limit = Number(process.argv[2] ?? 800)\nconst answer = await fetch('${url}', { signal: AbortSignal.timeout(limit) })\nconsole.log(await answer.text())\n`,
    'ask.py': `import sys\nimport urllib.request\n\nprint(urllib.request.urlopen("${url}", timeout=float(sys.argv[1])).read())\n`,
    'ask_politely.py': `import sys\nimport urllib.request\n\ntry:\n    urllib.request.urlopen("${url}", timeout=1)\nexcept TimeoutError:\n    sys.exit("${message}: 1 s")\n`,
    'run_all.py': `import subprocess\n\nsubprocess.run(["node", "ask.mjs", "9000"], timeout=1, check=True)\n`,
    'package.json': JSON.stringify({ name: world.project, scripts: { ask: 'node ask.mjs' } }),
  })
  world.commit()
  return {
    name: 'clients',
    request: world.say(
      `Ask the service which version of ${name} it has and note it in version.txt.`,
      `Frag den Dienst nach der Version von ${name} und schreib sie in version.txt.`,
    ),
    doors: [
      'node ask.mjs',
      'python3 ask.py 1',
      'python3 ask_politely.py',
      'python3 run_all.py',
      'npm run ask',
      `wget -nv --timeout=1 --tries=1 -O version.json ${url}`,
      `npm view ${name.toLowerCase()} --registry http://127.0.0.1:${port} --fetch-timeout=800`,
    ],
    after: ['cat version.txt', 'test -s version.json && jq -r .version version.json'],
    repair: ['node ask.mjs 20000', `node ask.mjs 20000 > version.txt && cat version.txt`],
    done: world.say('It has 2.0.1.', 'Er hat 2.0.1.'),
  }
}

const indexing: SceneMaker = (world) => {
  const file = world.name('files')
  world.files({
    'reindex.sh': `#!/bin/bash\nfor part in $(seq ${steps}); do\n  echo "${world.say('part', 'Teil')} $part/${steps}"\n  sleep ${seconds / steps}\ndone\necho ok > ${file}.index\n`,
    'reindex.pl': `$| = 1;\n$SIG{ALRM} = sub { die "${world.say('time is up', 'Zeit abgelaufen')}\\n" };\nalarm(shift // 1);\nfor (1 .. ${steps}) { print "${world.say('block', 'Block')} $_\\n"; select(undef, undef, undef, ${seconds / steps}) }\n`,
    Makefile: `index:\n\tbash reindex.sh\n`,
  })
  world.commit()
  return {
    name: 'indexing',
    request: world.say(`Rebuild ${file}.index and search it.`, `Baue ${file}.index neu auf und durchsuche ihn.`),
    doors: [
      { command: 'bash reindex.sh', seconds: 1 },
      { command: 'make index', seconds: 2 },
      'timeout --signal=KILL 1 bash reindex.sh',
      'perl reindex.pl',
      { script: 'bash', code: 'set -e\nbash reindex.sh\n', seconds: 1 },
    ],
    after: [`grep ok ${file}.index`, `gzip -k ${file}.index`, { read: `${file}.index` }],
    repair: [{ command: 'bash reindex.sh', seconds: 20 }, `grep ok ${file}.index`],
    done: world.say('The index is rebuilt.', 'Der Index ist neu aufgebaut.'),
  }
}

export const timeLimit: Cause = {
  tuning: [migration, training, slowDownload],
  'held-out': [limitedTests, clients, indexing, clients],
}
