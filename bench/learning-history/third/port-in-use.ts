// Databases, caches, Java and C servers whose port another process listens on.
import type { SceneMaker } from '../scene.ts'
import { postgres } from './postgres.ts'

const free = (port: number) => `kill $(lsof -t -i tcp:${port} -s tcp:listen) && sleep 0.3`

const javaServer: SceneMaker = async (world) => {
  const port = await world.port()
  await world.occupy(port)
  world.files({
    'App.java': `import com.sun.net.httpserver.HttpServer;\nimport java.net.InetSocketAddress;\n\nclass App {\n  public static void main(String[] given) throws Exception {\n    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", ${port}), 0);\n    server.start();\n    System.out.println("${world.say('Started on', 'Gestartet auf')} ${port}");\n    Thread.sleep(1500);\n    System.exit(0);\n  }\n}\n`,
    'Boot.java': `import java.net.BindException;\nimport java.net.InetSocketAddress;\nimport java.net.ServerSocket;\n\nclass Boot {\n  public static void main(String[] given) throws Exception {\n    try (ServerSocket socket = new ServerSocket()) {\n      socket.bind(new InetSocketAddress("127.0.0.1", ${port}));\n    } catch (BindException failure) {\n      System.out.println("***************************\\nAPPLICATION FAILED TO START\\n***************************\\n\\nDescription:\\n\\nWeb server failed to start. Port ${port} was already in use.\\n\\nAction:\\n\\nIdentify and stop the process that's listening on port ${port} or configure this application to listen on another port.");\n      System.exit(1);\n    }\n  }\n}\n`,
    Makefile: 'run:\n\tjava App.java\n',
  })
  world.setup('javac -d out App.java')
  world.commit()
  return {
    name: 'java-server',
    request: world.say(
      `Start the application on port ${port} and call its health page.`,
      `Starte die Anwendung auf Port ${port} und rufe die Statusseite auf.`,
    ),
    doors: [
      'java App.java',
      'java Boot.java',
      'make run',
      `java -agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:${port} -cp out App`,
    ],
    after: [`curl -fsS http://127.0.0.1:${port}/actuator/health`, `wget -qO- http://127.0.0.1:${port}/health`, 'tail -n 5 logs/app.log'],
    repair: [`ss -ltn 'sport = :${port}'`, free(port), 'java -cp out App'],
    done: world.say('It starts now; an old process was in the way.', 'Sie startet jetzt, ein alter Prozess war im Weg.'),
  }
}

const cache: SceneMaker = async (world) => {
  const port = await world.port()
  await world.occupy(port)
  world.files({
    'redis.conf': `port ${port}\nbind 127.0.0.1\nsave ""\nappendonly no\n`,
    'start.sh': `#!/bin/bash\nredis-server redis.conf --loglevel warning || { echo "${world.say('cache did not start', 'Cache ist nicht gestartet')}"; exit 1; }\n`,
    'cache.py': `import subprocess\n\nsubprocess.run(["redis-server", "redis.conf", "--loglevel", "warning"], check=True)\n`,
    Makefile: 'cache:\n\tredis-server redis.conf\n',
  })
  world.commit()
  return {
    name: 'cache',
    request: world.say('Start the cache and store a test value in it.', 'Starte den Cache und lege einen Testwert darin ab.'),
    doors: [
      'redis-server redis.conf',
      'bash start.sh',
      `redis-server --port ${port} --bind 127.0.0.1 --save '' --loglevel warning`,
      'make cache',
      'python3 cache.py',
    ],
    after: [`redis-cli -p ${port} ping`, `redis-cli -p ${port} set demo 1 | grep -x OK`, `redis-cli -p ${port} get demo | grep -x 1`],
    repair: [free(port), `redis-server redis.conf > redis.log & sleep 0.7; redis-cli -p ${port} ping | grep -x PONG`],
    done: world.say('The cache answers.', 'Der Cache antwortet.'),
  }
}

const database: SceneMaker = async (world) => {
  const port = await world.port()
  await world.occupy(port)
  world.setup(
    `${postgres}/initdb -D ../db -A trust --no-sync -U ${world.user} > /dev/null && printf "port = ${port}\\nlisten_addresses = '127.0.0.1'\\nunix_socket_directories = ''\\n" >> ../db/postgresql.conf`,
  )
  world.files({
    'db.sh': `#!/bin/bash\nset -e\n${postgres}/pg_ctl -w -t 5 -D ../db start\necho "${world.say('database is up', 'Datenbank läuft')}"\n`,
    Makefile: `db:\n\t${postgres}/postgres -D ../db\n`,
  })
  world.commit()
  const psql = `psql -h 127.0.0.1 -p ${port} -U ${world.user} postgres`
  return {
    name: 'database',
    request: world.say(
      'Start the development database and list its tables.',
      'Starte die Entwicklungsdatenbank und liste ihre Tabellen auf.',
    ),
    doors: [`${postgres}/postgres -D ../db`, `${postgres}/pg_ctl -w -t 5 -D ../db start`, 'make db', 'bash db.sh'],
    after: [`${psql} -c '\\dt'`, `pg_dump -h 127.0.0.1 -p ${port} -U ${world.user} postgres > dump.sql`, `${psql} -c 'select 1'`],
    repair: [`lsof -i tcp:${port}`, free(port), `${postgres}/postgres -D ../db > db.log 2>&1 & sleep 1.5; ${psql} -c 'select 1'`],
    done: world.say('The database runs; it has no tables yet.', 'Die Datenbank läuft, sie hat noch keine Tabellen.'),
  }
}

const anyAddress: SceneMaker = async (world) => {
  const [file, port] = [world.name('files'), await world.port()]
  await world.occupy(port)
  world.files({
    'package.json': JSON.stringify({ name: world.project, scripts: { dev: 'node tools/dev.mjs', start: `node ${file}.js` } }),
    [`${file}.js`]: `const { createServer } = require('node:http')\n\ncreateServer((_, response) => response.end('ok')).listen(process.env.PORT || ${port}, process.env.HOST)\n`,
    'tools/dev.mjs': `import net from 'node:net'\n\nconst server = net.createServer()\nserver.on('error', (error) => {\n  if (error.code === 'EADDRINUSE') throw new Error('Port ${port} is already in use')\n})\nserver.listen(${port}, 'localhost')\n`,
    'cluster.js': `const cluster = require('node:cluster')\nconst { createServer } = require('node:http')\n\nif (cluster.isPrimary) {\n  cluster.fork().on('exit', (code) => process.exit(code))\n} else createServer().listen(${port}, '127.0.0.1')\n`,
  })
  world.commit()
  return {
    name: 'dev-server',
    request: world.say(
      'Start the dev server and tell me the status code of the home page.',
      'Starte den Entwicklungsserver und nenne mir den Statuscode der Startseite.',
    ),
    doors: [`node ${file}.js`, 'npm run dev', 'node cluster.js', 'npm start'],
    after: [
      `curl -fsS -o /dev/null -w '%{http_code}' http://localhost:${port}/`,
      `curl -fsS http://127.0.0.1:${port}/favicon.ico -o icon.ico`,
    ],
    repair: [`ss -ltnp 'sport = :${port}'`, free(port), `HOST=127.0.0.1 node ${file}.js & sleep 0.7; curl -fsS http://127.0.0.1:${port}/`],
    done: world.say('It answers with 200.', 'Er antwortet mit 200.'),
  }
}

const pythonFrameworks: SceneMaker = async (world) => {
  const port = await world.port()
  await world.occupy(port)
  world.files({
    'app.py': `import socket\nimport sys\n\nprint(" * Serving app '${world.project}'\\n * Debug mode: off")\ntry:\n    socket.create_server(("127.0.0.1", ${port}))\nexcept OSError as error:\n    print(error.strerror, file=sys.stderr)\n    print("Port ${port} is in use by another program. Either identify and stop that program, or start the server with a different port.", file=sys.stderr)\n    sys.exit(1)\n`,
    'asgi.py': `import asyncio\nimport logging\nimport sys\n\nlogging.basicConfig(format="%(levelname)s:     %(message)s", level=logging.INFO)\n\n\nasync def main():\n    logging.info("Started server process")\n    try:\n        await asyncio.get_running_loop().create_server(asyncio.Protocol, "127.0.0.1", ${port})\n    except OSError as error:\n        logging.error(error)\n        logging.info("Application shutdown complete.")\n        sys.exit(1)\n\n\nasyncio.run(main())\n`,
    'wsgi.py': `from wsgiref.simple_server import demo_app, make_server\n\nmake_server("127.0.0.1", ${port}, demo_app).handle_request()\n`,
    'workers.py': `import errno\nimport socket\nimport sys\nimport time\n\nfor attempt in range(2):\n    try:\n        socket.create_server(("127.0.0.1", ${port}))\n        break\n    except OSError as error:\n        if error.errno == errno.EADDRINUSE:\n            print("[ERROR] Connection in use: ('127.0.0.1', ${port})", file=sys.stderr)\n        print("[ERROR] Retrying in 1 second.", file=sys.stderr)\n        time.sleep(1)\nelse:\n    sys.exit("[ERROR] Can't connect to ('127.0.0.1', ${port})")\n`,
    'rpc.py': `from xmlrpc.server import SimpleXMLRPCServer\n\nSimpleXMLRPCServer(("127.0.0.1", ${port})).handle_request()\n`,
  })
  world.commit()
  return {
    name: 'python-web',
    request: world.say(
      `Bring the web application up on port ${port} and request /login.`,
      `Bring die Webanwendung auf Port ${port} hoch und rufe /login auf.`,
    ),
    doors: ['python3 app.py', 'python3 asgi.py', 'python3 wsgi.py', 'python3 workers.py', 'python3 rpc.py'],
    after: [
      `curl -fsS http://127.0.0.1:${port}/login`,
      `wget -nv -O login.html http://127.0.0.1:${port}/login`,
      `grep -q '<form' login.html`,
    ],
    repair: [free(port), `python3 wsgi.py & sleep 0.8; curl -fsS http://127.0.0.1:${port}/login | head -n 2`],
    done: world.say('The application answers on /login.', 'Die Anwendung antwortet auf /login.'),
  }
}

const native: SceneMaker = async (world) => {
  const [file, port] = [world.name('files'), await world.port()]
  await world.occupy(port)
  world.files({
    [`${file}.c`]: `#include <arpa/inet.h>\n#include <stdio.h>\n#include <locale.h>\n\nint main(void) {\n  setlocale(LC_ALL, "");\n  int listener = socket(AF_INET, SOCK_STREAM, 0);\n  struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(${port}), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };\n  if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0) {\n    perror("bind");\n    return 1;\n  }\n  puts("${world.say('bound', 'gebunden')}");\n  return 0;\n}\n`,
    [`${file}.tcl`]: `socket -server accept -myaddr 127.0.0.1 ${port}\nputs ready\n`,
    Makefile: `run: ${file}\n\t./${file}\n\n${file}: ${file}.c\n\tgcc -o ${file} ${file}.c\n`,
  })
  world.setup(`gcc -o ${file} ${file}.c`)
  world.commit()
  return {
    name: 'native',
    request: world.say(`Start ${file} on port ${port} and connect to it.`, `Starte ${file} auf Port ${port} und verbinde dich damit.`),
    doors: [`./${file}`, 'make run', `tclsh ${file}.tcl`, `openssl s_server -nocert -accept 127.0.0.1:${port}`],
    after: [`echo hi | openssl s_client -connect 127.0.0.1:${port}`, `curl -fsS http://127.0.0.1:${port}/version`],
    repair: [free(port), `./${file}`],
    done: world.say('It binds its port again.', 'Es bindet seinen Port wieder.'),
  }
}

export const portInUse: readonly SceneMaker[] = [anyAddress, pythonFrameworks, database, javaServer, cache, native]
