// The temporary folder of one run: a home, a project with a history, and what runs beside it on loopback.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import type { Random } from './random.ts'
import type { Language, Part } from './run.ts'
import { words } from './words.ts'

export class World {
  readonly part: Part
  readonly language: Language
  readonly random: Random
  /** What is recorded as `/`. */
  readonly base: string
  readonly home: string
  readonly folder: string
  readonly user: string
  readonly project: string
  readonly environment: NodeJS.ProcessEnv
  readonly #servers: Server[] = []
  readonly #sockets = new Set<Socket>()
  readonly #processes: ChildProcess[] = []

  constructor(base: string, part: Part, language: Language, random: Random, node: string) {
    this.part = part
    this.language = language
    this.random = random
    this.base = base
    this.user = random.pick(words[part].users)
    this.project = random.chance(0.5) ? random.pick(words[part].projects) : `${random.pick(words[part].projects)}-${random.integer(2, 40)}`
    this.home = join(base, 'home', this.user)
    this.folder = join(this.home, ...(random.chance(0.4) ? [random.pick(['code', 'work', 'Projekte'])] : []), this.project)
    mkdirSync(this.folder, { recursive: true })
    mkdirSync(join(base, 'var/tmp'), { recursive: true })
    this.environment = {
      PATH: [join(this.folder, '.venv/bin'), node, '/usr/bin', '/bin'].join(':'),
      HOME: this.home,
      USER: this.user,
      TMPDIR: join(base, 'var/tmp'),
      LC_ALL: 'C.UTF-8',
      LANGUAGE: language,
      GIT_CONFIG_NOSYSTEM: '1',
      // An edit within the same second would otherwise not be noticed.
      PYTHONDONTWRITEBYTECODE: '1',
      PIP_CONFIG_FILE: '/dev/null',
      PIP_DISABLE_PIP_VERSION_CHECK: '1',
      NPM_CONFIG_GLOBALCONFIG: '/dev/null',
      NPM_CONFIG_PREFIX: join(base, 'usr/local'),
    }
    writeFileSync(
      join(this.home, '.gitconfig'),
      `[user]\n\tname = ${this.user}\n\temail = ${this.user}@example.org\n[init]\n\tdefaultBranch = main\n[pull]\n\trebase = false\n`,
    )
    writeFileSync(join(this.home, '.npmrc'), 'fund=false\naudit=false\nupdate-notifier=false\nfetch-retries=0\n')
    this.files({
      'README.md': `# ${this.project}\n\n${this.say('Start with docs/guide.md.', 'Einstieg: docs/guide.md.')}\n`,
      'CHANGELOG.md': `## ${this.version()}\n\n- ${this.say('Faster start', 'Schnellerer Start')}\n`,
      'docs/guide.md': `# ${this.say('Guide', 'Anleitung')}\n\n${this.say('Run the tests before each release.', 'Vor jeder Ausgabe die Tests ausführen.')}\n`,
    })
  }

  say(english: string, german: string): string {
    return this.language === 'en' ? english : german
  }

  version(): string {
    return `${this.random.integer(0, 4)}.${this.random.integer(0, 19)}.${this.random.integer(0, 9)}`
  }

  name(kind: 'nodePackages' | 'pythonPackages' | 'branches' | 'files'): string {
    return this.random.pick(words[this.part][kind])
  }

  files(files: Readonly<Record<string, string>>): void {
    for (const [path, content] of Object.entries(files)) {
      const full = join(this.folder, path)
      mkdirSync(dirname(full), { recursive: true })
      writeFileSync(full, content)
    }
  }

  /** Runs before the recording starts, and must succeed. */
  setup(command: string): void {
    const { status, stderr } = spawnSync('/bin/bash', ['-ec', command], {
      cwd: this.folder,
      env: { ...this.environment, LANGUAGE: 'en' },
      encoding: 'utf8',
      timeout: 20_000,
    })
    if (status !== 0) throw new Error(`${command}: ${stderr}`)
  }

  commit(message = this.say('First version', 'Erste Fassung')): void {
    this.setup(`git init -q 2>/dev/null; git add -A; git commit -qm '${message}'`)
  }

  virtualEnvironment(): void {
    this.setup('python3 -m venv --without-pip .venv && echo .venv >> .gitignore')
  }

  /** A port that nothing listens on. */
  async port(): Promise<number> {
    for (;;) {
      const port = this.random.integer(3000, 9999)
      const server = createServer()
      const free = await new Promise<boolean>((resolve) => {
        server.once('error', () => resolve(false))
        server.listen(port, '127.0.0.1', () => resolve(true))
      })
      if (!free) continue
      await new Promise((resolve) => server.close(resolve))
      return port
    }
  }

  async serve(listener: RequestListener): Promise<number> {
    const port = await this.port()
    const server = createHttpServer(listener)
    server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    this.#servers.push(server)
    return port
  }

  /** Answers each request after some time. */
  slow(milliseconds: number, body: string): Promise<number> {
    return this.serve((_, response) => setTimeout(() => response.end(body), milliseconds))
  }

  /** Fails once, then answers. */
  flaky(body: string): Promise<number> {
    let requests = 0
    return this.serve((_, response) => {
      requests += 1
      response.statusCode = requests === 1 ? 503 : 200
      response.end(requests === 1 ? '' : body)
    })
  }

  /** A process that listens on `port` before the run starts, and stays. It also ends if this program was killed. */
  async occupy(port: number): Promise<void> {
    const code = `require('node:http').createServer((q, s) => { s.statusCode = 404; s.end('other') }).listen(${port}, '127.0.0.1', () => console.log('up')); setTimeout(process.exit, 60_000)`
    const child = spawn('node', ['-e', code], {
      cwd: this.home,
      env: this.environment,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 60_000,
    })
    this.#processes.push(child)
    await new Promise((resolve) => child.stdout?.once('data', resolve))
  }

  /** A server that runs during the whole run, and accepts connections when this is done. */
  async start(command: string, port: number): Promise<void> {
    const child = spawn('/bin/bash', ['-c', command], { cwd: this.folder, env: this.environment, stdio: 'ignore', timeout: 120_000 })
    this.#processes.push(child)
    for (let attempt = 0; attempt < 100; attempt++) {
      const accepted = await new Promise<boolean>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy().destroyed))
        socket.once('error', () => resolve(false))
      })
      if (accepted) return
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    throw new Error(`${command} does not listen on ${port}`)
  }

  async close(): Promise<void> {
    for (const child of this.#processes) child.kill('SIGKILL')
    for (const socket of this.#sockets) socket.destroy()
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))))
  }
}
