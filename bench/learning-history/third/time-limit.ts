// Statements, requests, tests and programs that are ended before they are done, each by a limit of its own.
import type { SceneMaker } from '../scene.ts'
import { postgres } from './postgres.ts'

const wait = 3

const statement: SceneMaker = async (world) => {
  const [file, port] = [world.name('files'), await world.port()]
  world.setup(
    `${postgres}/initdb -D ../db -A trust --no-sync -U ${world.user} > /dev/null && printf "listen_addresses = '127.0.0.1'\\nunix_socket_directories = ''\\nfsync = off\\n" >> ../db/postgresql.conf`,
  )
  await world.start(`exec ${postgres}/postgres -D ../db -p ${port}`, port)
  world.files({
    [`${file}.sql`]: `select pg_sleep(${wait});\ncopy (select 1 as region, 42 as total) to stdout with csv header;\n`,
    'report.sh': `#!/bin/bash\nset -e\nPGOPTIONS="-c statement_timeout=\${1:-700ms}" psql -h 127.0.0.1 -p ${port} -U ${world.user} -d postgres -q -v ON_ERROR_STOP=1 -f ${file}.sql -o ${file}.csv\n`,
  })
  world.commit()
  const psql = `psql -h 127.0.0.1 -p ${port} -U ${world.user} -d postgres`
  return {
    name: 'statement',
    request: world.say(
      `Run the query in ${file}.sql and save the result as ${file}.csv.`,
      `Führe die Abfrage in ${file}.sql aus und speichere das Ergebnis als ${file}.csv.`,
    ),
    doors: [
      'bash report.sh',
      { command: `${psql} -q -f ${file}.sql -o ${file}.csv`, seconds: 2 },
      `PGOPTIONS='-c statement_timeout=1s' ${psql} -q -v ON_ERROR_STOP=1 -f ${file}.sql`,
      `timeout 1 ${psql} -q -f ${file}.sql`,
    ],
    after: [`grep -c , ${file}.csv`, `test -s ${file}.csv`, `jq -R . results/${file}.csv`],
    repair: ['bash report.sh 20s', `test -s ${file}.csv`],
    done: world.say(
      'The query needs about three seconds; the file is complete.',
      'Die Abfrage braucht etwa drei Sekunden, die Datei ist vollständig.',
    ),
  }
}

const javaClients: SceneMaker = async (world) => {
  const port = await world.slow(1_000 * wait, '{"rate":4}')
  const url = `http://127.0.0.1:${port}/rates`
  world.files({
    'Ask.java': `import java.net.URI;\nimport java.net.http.HttpClient;\nimport java.net.http.HttpRequest;\nimport java.net.http.HttpResponse;\nimport java.time.Duration;\n\nclass Ask {\n  public static void main(String[] given) throws Exception {\n    Duration limit = Duration.ofMillis(given.length > 0 ? Long.parseLong(given[0]) : 800);\n    HttpRequest request = HttpRequest.newBuilder(URI.create("${url}")).timeout(limit).build();\n    System.out.println(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body());\n    System.exit(0);\n  }\n}\n`,
    'Read.java': `import java.net.URL;\nimport java.net.URLConnection;\n\nclass Read {\n  public static void main(String[] given) throws Exception {\n    URLConnection connection = new URL("${url}").openConnection();\n    connection.setReadTimeout(700);\n    System.out.println(new String(connection.getInputStream().readAllBytes()));\n  }\n}\n`,
    'Pool.java': `import java.util.concurrent.CompletableFuture;\nimport java.util.concurrent.TimeUnit;\n\nclass Pool {\n  public static void main(String[] given) throws Exception {\n    CompletableFuture<Integer> rate = CompletableFuture.supplyAsync(() -> {\n      try {\n        Thread.sleep(${1_000 * wait});\n      } catch (InterruptedException stopped) {\n        return 0;\n      }\n      return 4;\n    });\n    System.out.println(rate.get(600, TimeUnit.MILLISECONDS));\n  }\n}\n`,
  })
  world.commit()
  return {
    name: 'java-clients',
    request: world.say(
      'Ask the rate service for the current rate and put it into rate.json.',
      'Frag den Kursdienst nach dem aktuellen Kurs und schreib ihn in rate.json.',
    ),
    doors: ['java Ask.java', 'java Pool.java', 'java Read.java', { command: 'java Ask.java 9000 > rate.json', seconds: 2 }],
    after: ['jq -e .rate rate.json', `python3 -c "import json; print(json.load(open('rate.json'))['rate'])"`],
    repair: ['java Ask.java 20000', 'java Ask.java 20000 > rate.json && jq -e .rate rate.json'],
    done: world.say('The rate is 4.', 'Der Kurs ist 4.'),
  }
}

const slowRegistry: SceneMaker = async (world) => {
  const name = world.name('pythonPackages')
  const port = await world.slow(1_000 * wait, '<html><body></body></html>')
  const url = `http://127.0.0.1:${port}`
  world.files({
    'package.json': JSON.stringify({ name: world.project, dependencies: { [world.name('nodePackages')]: '1.0.0' } }),
    '.npmrc': `registry=${url}/npm/\n`,
    'sync.py': `import socket\n\nconnection = socket.create_connection(("127.0.0.1", ${port}), timeout=0.9)\nconnection.sendall(b"GET /sync HTTP/1.0\\r\\n\\r\\n")\nprint(connection.recv(100))\n`,
  })
  world.commit()
  return {
    name: 'slow-registry',
    request: world.say(
      `Fetch ${name} and the Node packages for offline work.`,
      `Hol ${name} und die Node-Pakete, damit ich offline arbeiten kann.`,
    ),
    doors: [
      `/usr/bin/python3 -m pip download --no-deps --timeout 1 --retries 1 -d wheels -i ${url}/simple ${name}`,
      'npm install --fetch-timeout=700 --fetch-retries=0',
      `git -c http.lowSpeedLimit=1000 -c http.lowSpeedTime=1 clone ${url}/${name}.git`,
      'python3 sync.py',
      `curl -fsS --speed-limit 1000 --speed-time 1 ${url}/index.html -o index.html`,
    ],
    after: ['ls wheels', `ls ${name}/.git`, 'grep -q html index.html', 'ls node_modules'],
    repair: [{ command: `curl -fsS --max-time 20 ${url}/simple/${name}/ -o index.html`, seconds: 25 }, 'grep -q html index.html'],
    done: world.say('The index is there; the server only answers slowly.', 'Der Index ist da, der Server antwortet nur langsam.'),
  }
}

const runners: SceneMaker = (world) => {
  const file = world.name('files')
  const title = world.say('imports all rows', 'importiert alle Zeilen')
  world.files({
    'run.js': `const limit = Number(process.argv[2] ?? 900)\nconst test = new Promise((resolve) => setTimeout(resolve, ${1_000 * wait}))\nconst late = new Promise((_, reject) => setTimeout(() => reject(new Error('Timeout of ' + limit + 'ms exceeded. For async tests and hooks, ensure "done()" is called; if returning a Promise, ensure it resolves.')), limit))\nPromise.race([test, late]).then(() => { console.log('  1 passing'); process.exit(0) }, (error) => {\n  console.log('  0 passing\\n  1 failing\\n\\n  1) ${file}\\n       ${title}:\\n     ' + error)\n  process.exit(1)\n})\n`,
    'build.js': `const { execSync } = require('node:child_process')\n\nexecSync('sleep ${wait}', { timeout: 1000, stdio: 'inherit' })\nconsole.log('built')\n`,
    [`test_${file}.py`]: `import asyncio\nimport unittest\n\n\nclass Imports(unittest.IsolatedAsyncioTestCase):\n    async def test_all_rows(self):\n        await asyncio.wait_for(asyncio.sleep(${wait}), timeout=0.8)\n`,
    'CMakeLists.txt': `cmake_minimum_required(VERSION 3.16)\nproject(${file} NONE)\nenable_testing()\nadd_test(NAME import_rows COMMAND sleep ${wait})\n`,
    'package.json': JSON.stringify({ name: world.project, scripts: { test: 'node run.js', posttest: 'touch tested' } }),
    '.gitignore': 'build\n',
  })
  world.setup('cmake -S . -B build > /dev/null')
  world.commit()
  return {
    name: 'runners',
    request: world.say(
      'Run the tests, then note in tested that they passed.',
      'Führe die Tests aus und vermerke dann in tested, dass sie bestanden sind.',
    ),
    doors: ['npm test', `python3 -m unittest test_${file}.py`, 'ctest --test-dir build --timeout 1 --output-on-failure', 'node build.js'],
    after: ['cat tested', 'git add tested', { read: 'tested' }],
    repair: [{ command: 'node run.js 20000 && echo ok > tested', seconds: 25 }, 'cat tested'],
    done: world.say('They pass if they may take longer.', 'Sie bestehen, wenn sie länger dauern dürfen.'),
  }
}

const shellLimits: SceneMaker = (world) => {
  const file = world.name('files')
  world.files({
    'crunch.sh': `#!/bin/bash\nend=$(( SECONDS + ${wait} ))\necho "${world.say('crunching', 'rechne')} ..."\nwhile (( SECONDS < end )); do :; done\necho 17 > ${file}.out\n`,
    'watch.py': `import faulthandler\nimport time\n\nfaulthandler.dump_traceback_later(1, exit=True)\ntime.sleep(${wait})\n`,
    Makefile: `${file}.out:\n\tbash crunch.sh\n`,
  })
  world.commit()
  return {
    name: 'shell-limits',
    request: world.say(`Compute ${file}.out and show it.`, `Berechne ${file}.out und zeig es mir.`),
    doors: [
      { command: `make ${file}.out`, seconds: 1 },
      "perl -e 'alarm 1; exec @ARGV' bash crunch.sh",
      `timeout 2 make ${file}.out`,
      "bash -c 'ulimit -t 1; bash crunch.sh'",
      'python3 watch.py',
    ],
    after: [`cat ${file}.out`, `sort -n ${file}.out | tail -n 1 | grep 17`, { read: `${file}.out` }],
    repair: [{ command: 'bash crunch.sh', seconds: 20 }, `cat ${file}.out`],
    done: world.say('The result is 17.', 'Das Ergebnis ist 17.'),
  }
}

const exporting: SceneMaker = (world) => {
  const file = world.name('files')
  const chunk = world.say('chunk', 'Abschnitt')
  world.files({
    'export.mjs': `import { existsSync, rmSync, writeFileSync } from 'node:fs'\nimport { setTimeout as pause } from 'node:timers/promises'\n\nif (existsSync('${file}.pid')) {\n  console.error('${world.say('export is already running', 'Export läuft bereits')} (${file}.pid)')\n  process.exit(1)\n}\nwriteFileSync('${file}.pid', String(process.pid))\nfor (let at = 1; at <= 10; at++) {\n  console.log('${chunk} ' + at + '/10')\n  await pause(${wait * 100})\n}\nwriteFileSync('${file}.ndjson', '{"rows":10}\\n')\nrmSync('${file}.pid')\n`,
    'Export.java': `class Export {\n  public static void main(String[] given) throws Exception {\n    for (int at = 1; at <= 10; at++) {\n      System.out.println("${chunk} " + at + "/10");\n      Thread.sleep(${wait * 100});\n    }\n  }\n}\n`,
    'manage.py': `import sys\nimport time\n\nfor at in range(10):\n    print("${chunk}", at + 1, flush=True)\n    time.sleep(${wait / 10})\nopen("${file}.csv", "w").write("10\\n")\n`,
    'package.json': JSON.stringify({ name: world.project, type: 'module', scripts: { export: 'node export.mjs' } }),
  })
  world.commit()
  return {
    name: 'exporting',
    request: world.say('Export everything and tell me how many rows there are.', 'Exportiere alles und sag mir, wie viele Zeilen es sind.'),
    doors: [
      { command: 'npm run export', seconds: 2 },
      { command: 'python3 manage.py export --format csv', seconds: 1 },
      { command: 'java Export.java', seconds: 2 },
      {
        script: 'node',
        code: `const { execFileSync } = require('node:child_process')\nexecFileSync('node', ['export.mjs'], { stdio: 'inherit' })\n`,
        seconds: 1,
      },
    ],
    after: [`jq .rows ${file}.ndjson`, 'node export.mjs', `wc -l ${file}.csv`],
    repair: [`rm -f ${file}.pid`, { command: 'node export.mjs', seconds: 20 }, `jq .rows ${file}.ndjson`],
    done: world.say('Ten rows.', 'Zehn Zeilen.'),
  }
}

export const timeLimit: readonly SceneMaker[] = [runners, exporting, slowRegistry, statement, shellLimits, javaClients]
