// Another process already listens on the port that a server needs.
import type { Cause, SceneMaker } from '../scene.ts'

const nodeServer: SceneMaker = async (world) => {
  const [file, port] = [world.name('files'), await world.port()]
  await world.occupy(port)
  world.files({
    'package.json': JSON.stringify({
      name: world.project,
      scripts: { start: `node src/${file}.js`, dev: `PORT=${port} node src/${file}.js` },
    }),
    [`src/${file}.js`]: `const http = require('node:http')\nconst port = Number(process.env.PORT ?? ${port})\nhttp.createServer((request, response) => response.end('${world.project}')).listen(port, '127.0.0.1', () => console.log('${world.say('listening on', 'lauscht auf')} ' + port))\n`,
    'scripts/smoke.js': `fetch('http://127.0.0.1:${port}/api/status').then(async (answer) => {\n  const text = await answer.text()\n  if (text !== '${world.project}') { console.error('${world.say('unexpected answer', 'unerwartete Antwort')}: ' + answer.status + ' ' + text); process.exit(1) }\n})\n`,
  })
  world.commit()
  return {
    name: 'node-server',
    request: world.say(
      `Start the server on port ${port} and run the smoke test.`,
      `Starte den Server auf Port ${port} und führe den Smoke-Test aus.`,
    ),
    doors: [`node src/${file}.js`, 'npm start', `PORT=${port} node src/${file}.js`, 'npm run dev'],
    after: [`curl -fsS http://127.0.0.1:${port}/api/status`, 'node scripts/smoke.js'],
    repair: [
      `lsof -t -i tcp:${port} -s tcp:listen`,
      `kill $(lsof -t -i tcp:${port} -s tcp:listen) && sleep 0.3`,
      `node src/${file}.js & sleep 0.6; node scripts/smoke.js`,
    ],
    done: world.say('The server runs and the smoke test passes.', 'Der Server läuft, der Smoke-Test ist grün.'),
  }
}

const pythonServer: SceneMaker = async (world) => {
  const [file, port] = [world.name('files'), await world.port()]
  await world.occupy(port)
  const other = await world.port()
  const german = world.language === 'de' && world.random.chance(0.5)
  world.files({
    [`${file}.py`]: `import http.server\nimport locale\nimport socketserver\n\n${german ? 'locale.setlocale(locale.LC_ALL, "")\n' : ''}with socketserver.TCPServer(("127.0.0.1", ${port}), http.server.SimpleHTTPRequestHandler) as server:\n    print("${world.say('serving on', 'bereit auf')}", ${port})\n    server.serve_forever()\n`,
  })
  world.commit()
  return {
    name: 'python-http',
    request: world.say(
      `Serve the docs folder on port ${port} and fetch docs/guide.md from it.`,
      `Stell den Ordner docs auf Port ${port} bereit und rufe docs/guide.md davon ab.`,
    ),
    doors: [
      `python3 -m http.server ${port} --bind 127.0.0.1`,
      `python3 ${file}.py`,
      `cd docs && python3 -m http.server -b 127.0.0.1 ${port}`,
    ],
    after: [`curl -fsS http://127.0.0.1:${port}/docs/guide.md`, `curl -fsS -o guide.html http://localhost:${port}/guide.md`],
    repair: [
      `python3 -m http.server ${other} --bind 127.0.0.1 > server.log 2>&1 & sleep 0.8; curl -fsS http://127.0.0.1:${other}/docs/guide.md`,
    ],
    done: world.say(`It is served on port ${other} now.`, `Er ist jetzt auf Port ${other} erreichbar.`),
  }
}

const developmentServer: SceneMaker = async (world) => {
  const [file, port] = [world.name('files'), await world.port()]
  await world.occupy(port)
  const message = world.say(
    `Port ${port} is already in use, stop the other server first.`,
    `Port ${port} wird bereits verwendet. Bitte den anderen Server zuerst beenden.`,
  )
  world.files({
    'package.json': JSON.stringify({
      name: world.project,
      type: 'module',
      scripts: { preview: `node tools/${file}.mjs --port ${port}`, e2e: 'npm run preview' },
    }),
    [`tools/${file}.mjs`]: `import { createServer } from 'node:net'\n\nconst port = Number(process.argv[3])\nconst server = createServer().on('error', (error) => {\n  console.error(error.code === 'EADDRINUSE' ? '${message}' : error)\n  process.exit(1)\n})\nserver.listen(port, '127.0.0.1', () => { console.log('ready'); setTimeout(() => process.exit(0), 200) })\n`,
  })
  world.commit()
  return {
    name: 'preview',
    request: world.say(
      'Open the preview and run the end-to-end tests against it.',
      'Öffne die Vorschau und lass die Ende-zu-Ende-Tests dagegen laufen.',
    ),
    doors: ['npm run preview', `node tools/${file}.mjs --port ${port}`, 'npm run e2e'],
    after: [`curl -fsS http://127.0.0.1:${port}/index.html`, { read: 'e2e/report.html' }],
    repair: [`kill $(lsof -t -i tcp:${port} -s tcp:listen) && sleep 0.3`, 'npm run preview'],
    done: world.say('The preview is open.', 'Die Vorschau läuft.'),
  }
}

const pythonLoop: SceneMaker = async (world) => {
  const [file, port] = [world.name('files'), await world.port()]
  await world.occupy(port)
  world.files({
    [`${file}.py`]: `import asyncio\n\n\nasync def answer(reader, writer):\n    await reader.readline()\n    writer.write(b"pong\\n")\n    writer.close()\n\n\nasync def main():\n    server = await asyncio.start_server(answer, "127.0.0.1", ${port})\n    async with server:\n        await server.serve_forever()\n\n\nasyncio.run(main())\n`,
    Makefile: `serve:\n\tpython3 ${file}.py\n`,
  })
  world.commit()
  return {
    name: 'python-asyncio',
    request: world.say(
      'Start the gateway and see whether it answers with pong.',
      'Starte das Gateway und sieh nach, ob es mit pong antwortet.',
    ),
    doors: [
      `python3 ${file}.py`,
      'make serve',
      {
        script: 'python',
        code: `import socket\n\nlistener = socket.socket()\nlistener.bind(("127.0.0.1", ${port}))\nlistener.listen()\nprint("ready")\n`,
      },
    ],
    after: [`wget -q -O pong.txt http://127.0.0.1:${port}/ping`, 'grep -q pong pong.txt'],
    repair: [
      `ss -ltnp "sport = :${port}"`,
      `kill $(lsof -t -i tcp:${port} -s tcp:listen) && sleep 0.3`,
      `python3 ${file}.py & sleep 0.6; curl -sS --http0.9 http://127.0.0.1:${port}/`,
    ],
    done: world.say('The gateway answers.', 'Das Gateway antwortet.'),
  }
}

const relay: SceneMaker = async (world) => {
  const [target, port] = [await world.port(), await world.port()]
  await world.occupy(port)
  world.files({
    'relay.sh': `#!/bin/bash\nexec socat TCP-LISTEN:${port},bind=127.0.0.1 TCP:127.0.0.1:${target}\n`,
    'relay.pl': `use strict;\nuse locale;\nuse POSIX;\nuse IO::Socket::INET;\nsetlocale(LC_ALL, '');\nIO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => ${port}, Listen => 5, Proto => 'tcp') or die "${world.say('cannot listen on', 'kann nicht lauschen auf')} ${port}: $!\\n";\n`,
  })
  world.commit()
  return {
    name: 'relay',
    request: world.say(`Relay port ${port} to ${target} and test it.`, `Leite Port ${port} auf ${target} um und teste es.`),
    doors: ['bash relay.sh', 'perl relay.pl', `socat TCP-LISTEN:${port},bind=127.0.0.1 EXEC:/bin/true`],
    after: [`curl -fsS http://127.0.0.1:${port}/hello`, `wget -nv http://127.0.0.1:${port}/hello`],
    repair: [`kill $(lsof -t -i tcp:${port} -s tcp:listen) && sleep 0.3`, 'perl relay.pl'],
    done: world.say('The relay listens.', 'Die Umleitung steht.'),
  }
}

const nodeGateway: SceneMaker = async (world) => {
  const [file, port] = [world.name('files'), await world.port()]
  await world.occupy(port)
  world.files({
    'package.json': JSON.stringify({ name: world.project, type: 'module', scripts: { serve: `node ${file}.js`, test: 'node --test' } }),
    [`${file}.js`]: `import { createServer } from 'node:net'\nimport { once } from 'node:events'\n\nconst server = createServer((socket) => socket.end('pong')).listen({ port: ${port}, host: 'localhost', exclusive: true })\nawait once(server, 'listening')\nconsole.log('${world.say('up', 'bereit')}')\nif (!process.argv.includes('--stay')) server.close()\n`,
    [`test/${file}.test.js`]: `import test from 'node:test'\nimport { createServer } from 'node:net'\nimport { once } from 'node:events'\n\ntest('${world.say('listens', 'lauscht')}', async () => {\n  const server = createServer().listen(${port}, '127.0.0.1')\n  await once(server, 'listening')\n  server.close()\n})\n`,
  })
  world.commit()
  return {
    name: 'node-gateway',
    request: world.say(
      'Check that the gateway comes up, then run its tests.',
      'Prüfe, ob das Gateway hochkommt, und führe dann seine Tests aus.',
    ),
    doors: [`node ${file}.js`, 'npm run serve', 'npm test', 'node --test --test-reporter=tap'],
    after: [`curl -fsS http://127.0.0.1:${port}/metrics`, 'tail -n 3 gateway.log'],
    repair: [`kill $(lsof -t -i tcp:${port} -s tcp:listen) && sleep 0.3`, `node ${file}.js`, 'npm test'],
    done: world.say('The gateway comes up and its tests pass.', 'Das Gateway kommt hoch, die Tests sind grün.'),
  }
}

export const portInUse: Cause = {
  tuning: [nodeServer, pythonServer, developmentServer],
  'held-out': [pythonLoop, nodeGateway, relay],
}
