// A server from an earlier terminal still listens on the port.
import { denial } from '../denial.ts'
import type { DayMaker } from './day.ts'
import { nodeTools, python } from './tools.ts'

const who = (port: number) => [`lsof -i :${port}`, `ss -ltnp | grep :${port}`, `fuser ${port}/tcp`]
const free = (port: number) => `kill $(lsof -t -i tcp:${port} -s tcp:listen) && sleep 0.4`

const flask: DayMaker = async (world) => {
  const port = await world.port()
  await world.occupy(port)
  python(world, ['flask', 'pytest'])
  world.files({
    'app.py': `from flask import Flask\n\napp = Flask(__name__)\n\n\n@app.get("/")\ndef home():\n    return "${world.project}"\n\n\nif __name__ == "__main__":\n    app.run(host="127.0.0.1", port=${port})\n`,
    '.flaskenv.sh': `export FLASK_RUN_PORT=${port}\n`,
    'tests/test_live.py': `import socketserver\nimport urllib.request\n\nimport pytest\n\n\n@pytest.fixture\ndef server():\n    with socketserver.TCPServer(("127.0.0.1", ${port}), socketserver.BaseRequestHandler) as server:\n        yield server\n\n\ndef test_home(server):\n    assert server.server_address[1] == ${port}\n`,
  })
  world.commit()
  return {
    name: 'flask-app',
    request: world.say('Start the Flask app and check the home page.', 'Starte die Flask-App und prüfe die Startseite.'),
    doors: [`flask run --port ${port}`, 'python app.py', 'pytest tests/test_live.py', '. ./.flaskenv.sh && flask --app app run'],
    looks: [...who(port), { read: 'app.py' }],
    tries: [
      ['sleep 1'],
      [
        {
          refused: 'shell.exec',
          arguments: { command: `fuser -k ${port}/tcp` },
          failure: denial(world, 'shell.exec', `fuser -k ${port}/tcp`),
        },
      ],
      ['pgrep -u $(id -u) -af "flask run"'],
      [`flask run --port ${port} --reload --help > /dev/null && flask run -p ${port}`],
    ],
    after: [`curl -fsS http://127.0.0.1:${port}/`, `curl -s http://127.0.0.1:${port}/ | grep ${world.project}`],
    repair: [free(port), `(python app.py > app.log 2>&1 & sleep 1.2); curl -fsS http://127.0.0.1:${port}/`],
    done: world.say('The page is there; an old server was still running.', 'Die Seite ist da, ein alter Server lief noch.'),
  }
}

const expressApp: DayMaker = async (world) => {
  const port = await world.port()
  await world.occupy(port)
  nodeTools(world, [], ['express'])
  world.files({
    'package.json': JSON.stringify({ name: world.project, scripts: { start: 'node server.js', dev: `PORT=${port} node server.js` } }),
    'server.js': `const app = require('express')()\n\napp.get('/api/health', (_, response) => response.json({ ok: true }))\nrequire('node:http').createServer(app).listen(process.env.PORT || ${port}, process.env.HOST || '127.0.0.1', () => console.log('${world.say('API listening', 'API bereit')}'))\n`,
    '.env': `PORT=${port}\n`,
  })
  world.commit()
  return {
    name: 'express-api',
    request: world.say('Start the API and call /api/health.', 'Starte die API und rufe /api/health auf.'),
    doors: ['npm start', 'node server.js', 'npm run dev', 'HOST=0.0.0.0 node server.js'],
    looks: [...who(port), { read: 'server.js' }, { read: '.env' }],
    tries: [
      ['npm install --offline', 'npm start'],
      [{ edit: 'server.js', old: "console.log('", new: "console.log('API: " }],
      [`PORT=${port} npm start`],
      ['pgrep -u $(id -u) -af server.js', 'sleep 1'],
    ],
    after: [`curl -fsS http://127.0.0.1:${port}/api/health`, `curl -s http://127.0.0.1:${port}/api/health | jq -e .ok`],
    repair: [`lsof -ti tcp:${port}`, free(port), `(node server.js > api.log & sleep 1); curl -fsS http://127.0.0.1:${port}/api/health`],
    done: world.say('The API answers.', 'Die API antwortet.'),
  }
}

const frontend: DayMaker = async (world) => {
  const port = await world.port()
  await world.occupy(port)
  nodeTools(world, ['vite', 'vitest'])
  world.files({
    'package.json': JSON.stringify({
      name: world.project,
      type: 'module',
      scripts: {
        dev: `vite --host 127.0.0.1 --port ${port} --strictPort`,
        preview: `vite preview --host 127.0.0.1 --port ${port} --strictPort`,
        test: 'vitest run',
      },
    }),
    'index.html': `<title>${world.project}</title>\n`,
    'dist/index.html': `<title>${world.project}</title>\n`,
    'src/server.test.js': `import { createServer } from 'node:http'\nimport { afterAll, beforeAll, expect, test } from 'vitest'\n\nconst server = createServer((_, response) => response.end('ok'))\nbeforeAll(() => new Promise((resolve, reject) => server.once('error', reject).listen(${port}, '127.0.0.1', resolve)))\nafterAll(() => server.close())\n\ntest('${world.say('answers', 'antwortet')}', () => expect(server.listening).toBe(true))\n`,
  })
  world.commit()
  return {
    name: 'vite-frontend',
    request: world.say('Start the frontend so that I can look at it.', 'Starte das Frontend, damit ich es ansehen kann.'),
    doors: ['npm run dev', 'npm run preview', 'npm test', `npx vite --host 127.0.0.1 --port ${port} --strictPort`],
    looks: [...who(port), { read: 'package.json' }],
    tries: [
      ['rm -rf node_modules/.vite', 'npm run dev'],
      ['pgrep -u $(id -u) -af vite', 'sleep 1'],
      [`npx vite --force --host 127.0.0.1 --port ${port} --strictPort`],
    ],
    after: [`curl -fsS http://127.0.0.1:${port}/`, `curl -s http://127.0.0.1:${port}/ | grep '<title>'`],
    repair: [free(port), `(npm run dev > vite.log & sleep 2.5); curl -fsS http://127.0.0.1:${port}/`],
    done: world.say(`It is at http://127.0.0.1:${port}.`, `Es läuft unter http://127.0.0.1:${port}.`),
  }
}

const staticPages: DayMaker = async (world) => {
  const port = await world.port()
  await world.occupy(port)
  const folder = world.random.pick(['htmlcov', 'site', 'storybook-static', 'bericht'])
  world.files({
    [`${folder}/index.html`]: `<h1>${world.project}</h1>\n`,
    Makefile: `serve:\n\tpython3 -m http.server ${port} --bind 127.0.0.1 --directory ${folder}\n`,
    'serve.sh': `#!/bin/bash\nset -e\ncd ${folder}\npython3 -m http.server ${port} --bind 127.0.0.1\n`,
  })
  world.commit()
  return {
    name: 'static-pages',
    request: world.say(
      `Serve ${folder} on port ${port} and take the title of the page.`,
      `Stell ${folder} auf Port ${port} bereit und nimm den Titel der Seite.`,
    ),
    doors: [
      `python3 -m http.server ${port} --bind 127.0.0.1 --directory ${folder}`,
      'make serve',
      'bash serve.sh',
      `python3 -m http.server -d ${folder} -b 127.0.0.1 ${port}`,
    ],
    looks: [...who(port), `ls ${folder}`],
    tries: [
      ['sleep 2'],
      ['ps -u $(id -u) -o args | grep "[h]ttp.server"'],
      [{ edit: 'serve.sh', old: 'set -e', new: 'set -ex' }, 'bash serve.sh'],
    ],
    after: [`curl -fsS http://127.0.0.1:${port}/index.html -o page.html`, `grep -o '<h1>.*</h1>' page.html`],
    repair: [free(port), `(make serve > serve.log 2>&1 & sleep 1.2); curl -fsS http://127.0.0.1:${port}/index.html`],
    done: world.say(`The title is ${world.project}.`, `Der Titel ist ${world.project}.`),
  }
}

const fastifyApi: DayMaker = async (world) => {
  const port = await world.port()
  await world.occupy(port)
  nodeTools(world, [], ['fastify'])
  const message = world.say(
    `Port ${port} is taken. Is another instance running?`,
    `Port ${port} ist belegt. Läuft noch eine andere Instanz?`,
  )
  world.files({
    'package.json': JSON.stringify({ name: world.project, type: 'module', scripts: { start: 'node index.js', worker: 'node worker.js' } }),
    'index.js': `import Fastify from 'fastify'\n\nconst app = Fastify({ logger: true })\napp.get('/', async () => ({ ok: true }))\ntry {\n  await app.listen({ port: ${port}, host: '127.0.0.1' })\n} catch (error) {\n  app.log.error(error)\n  process.exit(1)\n}\n`,
    'worker.js': `import { createServer } from 'node:http'\n\ncreateServer().on('error', (error) => {\n  console.error(error.code === 'EADDRINUSE' ? '${message}' : error.message)\n  process.exit(1)\n}).listen(${port}, '127.0.0.1')\n`,
    'Procfile.sh': `#!/bin/bash\nnode index.js & api=$!\nwait $api || { echo "${world.say('api exited with', 'api endete mit')} $?"; exit 1; }\n`,
  })
  world.commit()
  return {
    name: 'fastify-api',
    request: world.say('Bring the services up and check that the API answers.', 'Fahr die Dienste hoch und prüfe, ob die API antwortet.'),
    doors: ['node index.js', 'npm run worker', 'bash Procfile.sh', 'npm start'],
    looks: [...who(port), { read: 'index.js' }],
    tries: [
      ['npm run worker'],
      ['node --trace-uncaught index.js'],
      [{ edit: 'index.js', old: "'127.0.0.1'", new: "'0.0.0.0'" }],
      ['sleep 1'],
    ],
    after: [`curl -fsS http://127.0.0.1:${port}/`, `wget -qO- http://127.0.0.1:${port}/`],
    repair: [free(port), `(node index.js > api.log & sleep 1.2); curl -fsS http://127.0.0.1:${port}/`],
    done: world.say('All services are up.', 'Alle Dienste laufen.'),
  }
}

const mockServers: DayMaker = async (world) => {
  const [port, file] = [await world.port(), world.name('files')]
  await world.occupy(port)
  world.files({
    [`mock_${file}.py`]: `from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer\n\n\nclass Mock(BaseHTTPRequestHandler):\n    def do_GET(self):\n        self.send_response(200)\n        self.end_headers()\n        self.wfile.write(b'{"mock": true}')\n\n\nThreadingHTTPServer(("127.0.0.1", ${port}), Mock).serve_forever()\n`,
    'mock.js': `const { WebSocket } = globalThis\nconst server = require('node:net').createServer().listen(${port}, '127.0.0.1')\nserver.on('listening', () => console.log('mock', typeof WebSocket))\n`,
    'e2e.sh': `#!/bin/bash\nset -e\npython3 mock_${file}.py &\nserver=$!\nsleep 0.8\nkill -0 $server\ncurl -fsS http://127.0.0.1:${port}/ | grep mock\nkill $server\n`,
    'package.json': JSON.stringify({ name: world.project, scripts: { mock: 'node mock.js', pree2e: 'node mock.js', e2e: 'bash e2e.sh' } }),
  })
  world.commit()
  return {
    name: 'mock-server',
    request: world.say('Run the end-to-end tests against the mock.', 'Lass die E2E-Tests gegen den Mock laufen.'),
    doors: [`python3 mock_${file}.py`, 'npm run e2e', 'bash e2e.sh', 'node mock.js'],
    looks: [...who(port), { read: 'e2e.sh' }],
    tries: [
      ['sleep 1', 'bash e2e.sh'],
      [`python3 -X dev mock_${file}.py`],
      [{ edit: 'e2e.sh', old: 'sleep 0.8', new: 'sleep 1.5' }, 'bash e2e.sh'],
    ],
    after: ['cat e2e-report.json', `curl -fsS http://127.0.0.1:${port}/`],
    repair: [free(port), 'bash e2e.sh'],
    done: world.say('The end-to-end tests pass.', 'Die E2E-Tests sind grün.'),
  }
}

export const portInUse: readonly DayMaker[] = [expressApp, flask, staticPages, frontend, fastifyApi, mockServers]
