// sshd of Debian's openssh-server on a loopback port, as the current user, with a key made for the run. The package is unpacked into a
// temporary folder and never installed.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

export interface Ssh {
  /** The bytes that the command wrote. */
  run(command: string, connection: 'new' | 'shared'): Promise<number>
  stop(): void
}

export async function startSsh(port: number): Promise<Ssh> {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-ssh-'))
  const at = (name: string) => join(folder, name)
  const program = sshdProgram(folder)
  for (const key of ['host', 'user']) must('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(key)], folder)
  writeFileSync(at('authorized'), readFileSync(at('user.pub')), { mode: 0o600 })
  const settings = [
    ...[`Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${at('host')}`, `AuthorizedKeysFile ${at('authorized')}`],
    ...['PidFile none', 'StrictModes no', 'UsePAM no', 'PasswordAuthentication no', 'PermitRootLogin yes', 'MaxStartups 1000'],
  ]
  writeFileSync(at('config'), `${settings.join('\n')}\n`)
  const server = startServer(folder, program, at('config'))
  await reachable(port, server)
  const options = [
    ...['-p', String(port), '-i', at('user'), '-o', `UserKnownHostsFile=${at('known')}`, '-o', 'StrictHostKeyChecking=accept-new'],
    ...['-o', 'BatchMode=yes', '-o', 'LogLevel=ERROR', '-F', 'none'],
  ]
  const shared = ['-o', 'ControlMaster=auto', '-o', `ControlPath=${at('control')}`, '-o', 'ControlPersist=600']
  const target = `${userInfo().username}@127.0.0.1`
  return {
    async run(command, connection) {
      const child = spawn('ssh', [...options, ...(connection === 'shared' ? shared : []), target, command], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let bytes = 0
      child.stdout.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      const code = await new Promise((resolve) => child.once('close', resolve))
      if (code !== 0) throw new Error(`ssh ended with ${code}`)
      return bytes
    },
    stop() {
      spawnSync('ssh', [...options, ...shared, '-O', 'exit', target], { stdio: 'ignore' })
      server.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function sshdProgram(folder: string): string {
  if (existsSync('/usr/sbin/sshd')) return '/usr/sbin/sshd'
  must('apt-get', ['download', 'openssh-server'], folder)
  for (const file of globSync(join(folder, '*.deb'))) must('dpkg', ['-x', file, join(folder, 'root')], folder)
  return join(folder, 'root/usr/sbin/sshd')
}

/** As root, sshd requires a user and a folder that the package creates when it is installed: here they exist only for this process. */
function startServer(folder: string, program: string, config: string): ChildProcess {
  const argv = [program, '-D', '-e', '-f', config]
  const isReady = process.getuid?.() !== 0 || (existsSync('/run/sshd') && /^sshd:/m.test(readFileSync('/etc/passwd', 'utf8')))
  if (isReady) return spawn(argv[0] ?? '', argv.slice(1), { stdio: 'ignore' })
  const users = join(folder, 'passwd')
  writeFileSync(users, `${readFileSync('/etc/passwd', 'utf8')}sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin\n`)
  mkdirSync(join(folder, 'empty'), { mode: 0o755 })
  const view = [
    '--dev-bind',
    '/',
    '/',
    '--ro-bind',
    users,
    '/etc/passwd',
    '--tmpfs',
    '/run',
    '--ro-bind',
    join(folder, 'empty'),
    '/run/sshd',
  ]
  return spawn('bwrap', [...view, '--die-with-parent', '--', ...argv], { stdio: 'ignore' })
}

async function reachable(port: number, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (server.exitCode !== null) break
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.once('error', () => resolve(false))
      socket.once('close', () => socket.destroy())
      socket.once('connect', () => socket.end())
    })
    if (isOpen) return
    await setTimeout(100)
  }
  throw new Error('sshd did not start')
}

function must(program: string, args: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args[0]} failed: ${stderr}`)
}
