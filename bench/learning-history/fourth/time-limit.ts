// Builds, tests, requests and jobs that need more time than they were given.
import type { DayMaker } from './day.ts'
import { nodeTools, python } from './tools.ts'

const wait = 3

const slowBuild: DayMaker = (world) => {
  const file = world.name('files')
  const step = world.say('Compiling module', 'Übersetze Modul')
  world.files({
    'package.json': JSON.stringify({ name: world.project, scripts: { build: 'node build.js', bundle: 'node build.js --minify' } }),
    'build.js': `const fs = require('node:fs')\nlet at = 0\nconst timer = setInterval(() => {\n  at += 1\n  console.log('${step} ' + at + '/10')\n  if (at < 10) return\n  clearInterval(timer)\n  fs.mkdirSync('dist', { recursive: true })\n  fs.writeFileSync('dist/${file}.js', '1\\n')\n}, ${wait * 100})\n`,
    Makefile: 'dist:\n\tnode build.js\n',
  })
  world.commit()
  return {
    name: 'slow-build',
    request: world.say('Build for production and tell me the size.', 'Baue für die Produktion und nenne mir die Größe.'),
    doors: [
      { command: 'npm run build', seconds: 2 },
      'timeout 2 npm run build',
      { command: 'npm run bundle', seconds: 1 },
      { command: 'make dist', seconds: 2 },
    ],
    looks: [{ read: 'package.json' }, 'ls', { read: 'build.js' }, 'nproc'],
    tries: [
      [{ command: 'NODE_OPTIONS=--max-old-space-size=2048 npm run build', seconds: 2 }],
      [{ command: 'node build.js', seconds: 2 }],
      ['rm -rf dist', { command: 'npm run build -- --silent', seconds: 2 }],
      ['timeout -k 1 2 node build.js'],
    ],
    after: [`du -h dist/${file}.js`, { read: `dist/${file}.js` }, 'tar czf dist.tgz dist'],
    repair: [{ command: 'npm run build', seconds: 30 }, `du -h dist/${file}.js`],
    done: world.say('Built; it just needs a few seconds.', 'Gebaut, es braucht nur ein paar Sekunden.'),
  }
}

const slowApi: DayMaker = async (world) => {
  const [port, file] = [await world.slow(1_000 * wait, '{"orders":[1,2]}'), world.name('files')]
  const url = `http://127.0.0.1:${port}/api/${file}`
  const german = world.say('The server took too long to answer', 'Der Server hat zu lange nicht geantwortet')
  python(world, ['requests', 'pytest'])
  world.files({
    'sync.py': `import json\nimport sys\n\nimport requests\n\nlimit = float(sys.argv[1]) if len(sys.argv) > 1 else 1\njson.dump(requests.get("${url}", timeout=limit).json(), open("${file}.json", "w"))\n`,
    'polite.py': `import sys\n\nimport requests\n\ntry:\n    requests.get("${url}", timeout=1)\nexcept requests.Timeout:\n    sys.exit("${german} (1 s)")\n`,
    'test_api.py': `import requests\n\n\ndef test_orders():\n    assert requests.get("${url}", timeout=0.9).ok\n`,
  })
  world.commit()
  return {
    name: 'slow-orders',
    request: world.say(
      `Sync the ${file} from the API and count the orders.`,
      `Synchronisiere ${file} von der API und zähle die Bestellungen.`,
    ),
    doors: ['python sync.py', `curl -sS --max-time 2 ${url} -o ${file}.json`, 'pytest -q test_api.py', 'python polite.py'],
    looks: [{ read: 'sync.py' }, `curl -s -o /dev/null -m 1 ${url}; true`, 'ls'],
    tries: [
      ['python sync.py 1.5'],
      [`curl -m 1 --retry 1 -sS ${url}`],
      [`wget -nv --timeout=1 --tries=2 --waitretry=0 -O ${file}.json ${url}`],
      ['sleep 1', 'python sync.py'],
      [`curl -fsS --connect-timeout 1 -m 2 ${url}`],
    ],
    after: [`jq '.orders | length' ${file}.json`, `python -c "import json; print(len(json.load(open('${file}.json'))['orders']))"`],
    repair: [{ command: 'python sync.py 20', seconds: 30 }, `jq '.orders | length' ${file}.json`],
    done: world.say('Two orders.', 'Zwei Bestellungen.'),
  }
}

const testTimeout: DayMaker = (world) => {
  const file = world.name('files')
  nodeTools(world, ['vitest'])
  world.files({
    'package.json': JSON.stringify({
      name: world.project,
      type: 'module',
      scripts: { test: 'vitest run --testTimeout=900', release: 'npm test && touch released' },
    }),
    [`test/${file}.test.js`]: `import { expect, test } from 'vitest'\n\nconst load = () => new Promise((resolve) => setTimeout(resolve, ${1_000 * wait}, 3))\n\ntest('${world.say('loads all items', 'lädt alle Einträge')}', async () => expect(await load()).toBe(3))\n`,
  })
  world.commit()
  return {
    name: 'vitest-timeout',
    request: world.say('Run the tests and release.', 'Lass die Tests laufen und gib frei.'),
    doors: [
      'npm test',
      'npm run release',
      'npx vitest run --testTimeout=1500',
      { command: 'npx vitest run --testTimeout=60000', seconds: 2 },
    ],
    looks: [{ read: `test/${file}.test.js` }, { read: 'package.json' }],
    tries: [
      ['npx vitest run --testTimeout=1200 --retry=1'],
      [{ edit: 'package.json', old: '=900', new: '=1100' }, 'npm test'],
      ['npx vitest run --testTimeout=900 --pool=threads'],
    ],
    after: ['ls released', 'git add released'],
    repair: [{ command: 'npx vitest run --testTimeout=20000 && touch released', seconds: 40 }, 'ls released'],
    done: world.say('Released; the test needs three seconds.', 'Freigegeben, der Test braucht drei Sekunden.'),
  }
}

const migration: DayMaker = (world) => {
  const file = world.name('files')
  const say = world.say('Applying migration', 'Führe Migration aus')
  world.files({
    'manage.py': `import pathlib\nimport sys\nimport time\n\nlock = pathlib.Path("migrate.lock")\nif lock.exists():\n    sys.exit("${world.say('Migrations are locked by another process', 'Migrationen sind durch einen anderen Prozess gesperrt')}")\nlock.touch()\nfor at in range(6):\n    print(f"${say} 000{at + 1}_${file}...", flush=True)\n    time.sleep(${wait / 6})\nlock.unlink()\npathlib.Path("db.version").write_text("6")\n`,
    'run_all.py': 'import subprocess\n\nsubprocess.run(["python3", "manage.py", "migrate"], check=True, timeout=1)\n',
    'jobs.py': `import asyncio\n\n\nasync def main():\n    await asyncio.wait_for(asyncio.sleep(${wait}), timeout=1)\n\n\nasyncio.run(main())\n`,
  })
  world.commit()
  return {
    name: 'migrations',
    request: world.say('Migrate the database and show db.version.', 'Migriere die Datenbank und zeig db.version.'),
    doors: [
      { command: 'python3 manage.py migrate', seconds: 1 },
      'python3 run_all.py',
      'timeout 2 python3 manage.py migrate',
      'python3 jobs.py',
    ],
    looks: [{ read: 'manage.py' }, 'ls', 'git status --short'],
    tries: [
      ['rm -f migrate.lock', { command: 'python3 manage.py migrate', seconds: 2 }],
      [{ command: 'python3 manage.py migrate --fake', seconds: 1 }],
      ['rm -f migrate.lock', 'timeout 1 python3 -u manage.py migrate'],
    ],
    after: ['cat db.version', { command: 'python3 manage.py migrate', seconds: 1 }, { read: 'db.version' }],
    repair: ['rm -f migrate.lock', { command: 'python3 manage.py migrate', seconds: 30 }, 'cat db.version'],
    done: world.say('The database is at version 6.', 'Die Datenbank ist auf Version 6.'),
  }
}

const nodeClient: DayMaker = async (world) => {
  const [port, file] = [await world.slow(1_000 * wait, '{"plan":"pro"}'), world.name('files')]
  const url = `http://127.0.0.1:${port}/v1/plan`
  nodeTools(world, [])
  world.files({
    'client.mjs': `const limit = Number(process.env.LIMIT ?? 800)\nconst answer = await fetch('${url}', { signal: AbortSignal.timeout(limit) })\nconsole.log((await answer.json()).plan)\n`,
    'legacy.js': `const request = require('node:http').get('${url}', { timeout: 700 }, (answer) => answer.resume())\nrequest.on('timeout', () => request.destroy(new Error('timeout of 700ms exceeded')))\n`,
    'wait-on.sh': `#!/bin/bash\nfor at in 1 2; do curl -s -m 1 -o /dev/null ${url} && exit 0; done\necho "${world.say('Timed out waiting for', 'Zeitüberschreitung beim Warten auf')} ${url}"\nexit 1\n`,
    'package.json': JSON.stringify({ name: world.project, scripts: { plan: 'node client.mjs', wait: 'bash wait-on.sh' } }),
  })
  world.commit()
  return {
    name: 'node-plan',
    request: world.say(
      `Ask the service for our plan and note it in ${file}.txt.`,
      `Frag den Dienst nach unserem Tarif und notiere ihn in ${file}.txt.`,
    ),
    doors: ['node client.mjs', 'npm run plan', 'npm run wait', 'node legacy.js'],
    looks: [{ read: 'client.mjs' }, { read: 'package.json' }, `(echo > /dev/tcp/127.0.0.1/${port}) && echo open`],
    tries: [
      ['LIMIT=1200 node client.mjs'],
      ['node legacy.js'],
      [{ edit: 'client.mjs', old: '?? 800', new: '?? 1500' }, 'node client.mjs'],
      [`curl -sS -m 1 ${url}`],
    ],
    after: [`cat ${file}.txt`, `LIMIT=900 node client.mjs > ${file}.txt && grep pro ${file}.txt`],
    repair: [{ command: `LIMIT=20000 node client.mjs > ${file}.txt`, seconds: 30 }, `grep pro ${file}.txt`],
    done: world.say('The plan is pro.', 'Der Tarif ist pro.'),
  }
}

const suites: DayMaker = (world) => {
  const file = world.name('files')
  python(world, ['pytest'])
  world.files({
    [`test_${file}.py`]: `import time\n\n\ndef test_first():\n    assert True\n\n\ndef test_report():\n    time.sleep(${wait})\n`,
    'test_limit.py': `import concurrent.futures\nimport time\n\n\ndef test_export():\n    with concurrent.futures.ThreadPoolExecutor() as pool:\n        assert pool.submit(time.sleep, 1.6).result(timeout=0.8) is None\n`,
    'ci.sh': `#!/bin/bash\ntimeout 2 .venv/bin/pytest -v test_${file}.py\ncode=$?\n[ $code = 124 ] && echo "${world.say('The job exceeded its time limit', 'Der Job hat sein Zeitlimit überschritten')}"\n[ $code = 0 ] && touch green\nexit $code\n`,
  })
  world.commit()
  return {
    name: 'slow-suite',
    request: world.say('Run the test suite and mark the state as green.', 'Führe die Testsuite aus und markiere den Stand als grün.'),
    doors: [
      { command: `pytest -v test_${file}.py`, seconds: 2 },
      'bash ci.sh',
      'pytest -q test_limit.py',
      { command: 'make -f /dev/null; pytest', seconds: 1 },
    ],
    looks: [{ read: `test_${file}.py` }, { read: 'ci.sh' }, `pytest --collect-only -q test_${file}.py`],
    tries: [
      [{ command: `pytest -q -x test_${file}.py`, seconds: 2 }],
      ['bash ci.sh'],
      [{ command: `pytest -q --durations=1 test_${file}.py`, seconds: 2 }],
      [`timeout 2 pytest -q test_${file}.py -k report`],
    ],
    after: ['ls green', 'git add green'],
    repair: [{ command: `pytest -q test_${file}.py && touch green`, seconds: 40 }, 'ls green'],
    done: world.say('Green; the report test is slow.', 'Grün, der Test für den Bericht ist langsam.'),
  }
}

export const timeLimit: readonly DayMaker[] = [slowApi, slowBuild, testTimeout, migration, nodeClient, suites]
