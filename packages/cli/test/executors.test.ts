// Two processes as two machines: `tandem executor` on one, `tandem executors` on the other, with TLS between them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { killAndWait } from './support/process-end.ts'
import { startTandem, useTandem } from './support/test-tandem.ts'

const here = useTandem(() => ({ TANDEM_MEMORY_MODEL: 'off' }))

const machines: ReturnType<typeof startTandem>[] = []
afterEach(async () => {
  await Promise.all(machines.splice(0).map(({ child }) => killAndWait(child)))
})

interface Machine {
  readonly url: string
  readonly port: string
  readonly fingerprint: string
  readonly token: string | undefined
  stop(): Promise<unknown>
}

/** Its folder stands for the disk of the other machine. */
async function machine(...args: string[]): Promise<Machine> {
  const folder = join(here.folder, 'other machine')
  mkdirSync(folder, { recursive: true })
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, TANDEM_HOME: folder }
  const started = startTandem(['executor', '--allow-root', '--port', '0', ...args], here.workspace, env)
  machines.push(started)
  let text = ''
  started.child.stdout?.on('data', (chunk: string) => {
    text += chunk
  })
  await started.said('Ctrl-C')
  const url = /at {2}(\S+)/.exec(text)?.[1] ?? ''
  return {
    url,
    port: new URL(url).port,
    fingerprint: /Fingerprint +([0-9a-f]{64})/.exec(text)?.[1] ?? '',
    token: /Token +(\S+)/.exec(text)?.[1],
    stop() {
      started.child.kill('SIGTERM')
      return started.ended
    },
  }
}

const withToken = (token: string, ...args: string[]) => here.start(['executors', ...args], `${token}\n`).ended
const skill = (requires: string) =>
  `---\nname: train\ndescription: Trains a model.\nmetadata:\n  tandem-requires:\n${requires}---\n\nTrain it.\n`

test('an executor is added with its fingerprint, makes a skill usable, and is removed', async () => {
  const other = await machine('--capability', 'gpu.cuda')
  expect([new URL(other.url).protocol, other.token?.length]).toEqual(['https:', 43])
  const token = other.token ?? ''
  const skills = join(here.folder, 'home', 'skills', 'train')
  mkdirSync(skills, { recursive: true })
  writeFileSync(
    join(skills, 'SKILL.md'),
    skill('    remote_host: true\n    remote_executor_protocol: tandem-executor/1\n    required_remote_capabilities: [gpu.cuda]\n'),
  )
  expect((await here.command('skills', 'show', 'train')).stdout).toContain('Runs here: no\nA remote host is needed.')

  const shown = await withToken(token, 'add', 'build', other.url)
  expect([shown.status, shown.stdout]).toEqual([3, ''])
  expect(shown.stderr).toContain(`        Compare it with the one that the executor printed, then add --fingerprint ${other.fingerprint}\n`)

  const wrong = await withToken(token, 'add', 'build', other.url, '--fingerprint', 'ab'.repeat(32))
  expect([wrong.status, wrong.stdout]).toEqual([1, expect.stringContaining('The certificate of the executor has changed.')])
  expect((await here.command('executors', 'remove', 'build')).status).toBe(0)

  const colons = other.fingerprint.toUpperCase().replaceAll(/..(?=.)/g, '$&:')
  const added = await withToken(token, 'add', 'build', other.url, '--fingerprint', colons)
  expect([added.status, added.stderr]).toEqual([0, ''])
  expect(added.stdout).toMatch(
    /^build: ready, https:\/\/127\.0\.0\.1:\d+\n {2}tandem-executor\/1 by handshake, .*\n {2}offers .*gpu\.cuda\n$/,
  )

  expect((await here.command('skills', 'show', 'train')).stdout).toContain(
    'Runs here: yes. build is available. build uses tandem-executor/1. build offers gpu.cuda.',
  )
  const listed = await here.command('executors', '--json')
  expect(JSON.parse(listed.stdout)).toMatchObject({ name: 'build', state: 'ready', certificate_sha256: other.fingerprint })
  expect(listed.stdout).not.toContain(token)

  const { agent_id } = JSON.parse((await here.command('command', 'agent_create', '{"name":"Builder"}')).stdout).agent
  expect(await here.command('executors', 'grant', 'build', '--agent', 'Builder')).toEqual({
    status: 0,
    stdout: 'Builder may run commands on build. Each command needs your approval.\n',
    stderr: '',
  })
  expect(JSON.parse((await here.command('executors', '--json')).stdout).agents).toEqual([agent_id])
  expect((await here.command('executors', 'revoke', 'build', '--agent', agent_id)).stdout).toBe(
    'Builder may no longer run commands on build.\n',
  )
  expect((await here.command('executors', 'grant', 'build')).status).toBe(2)
  expect((await here.command('executors', 'grant', 'build', '--agent', 'no one')).stderr).toContain('no agent is named no one')

  await other.stop()
  const down = await here.command('executors', 'test', 'build')
  expect([down.status, down.stdout]).toEqual([
    1,
    expect.stringMatching(/build: failed, .*\n {2}The executor cannot be reached\. The next attempt is at /),
  ])
  expect((await here.command('skills', 'show', 'train')).stdout).toMatch(
    /Runs here: no\nA remote host is needed\. build: The executor cannot be reached\. The next attempt is at .* UTC\./,
  )

  // The same machine again: the token and the certificate stay, and the token is not shown again.
  const again = await machine('--capability', 'gpu.cuda', '--port', other.port)
  expect([again.token, again.fingerprint]).toEqual([undefined, other.fingerprint])
  expect((await here.command('executors', 'test', 'build')).status).toBe(0)
  expect(await here.command('executors', 'remove', 'BUILD')).toEqual({ status: 0, stdout: 'build was removed.\n', stderr: '' })
  expect((await here.command('executors')).stdout).toMatch(/^There are no remote executors yet\./)
})

test('a wrong token, a plain address of another machine and unknown names are refused with what to do', async () => {
  const other = await machine('--plain')
  expect(other.fingerprint).toBe('')
  const wrong = await withToken('not-the-token-of-it', 'add', 'build', other.url)
  expect([wrong.status, wrong.stdout]).toEqual([1, expect.stringContaining('The executor rejected the token.')])
  const twice = await withToken(other.token ?? '', 'add', 'Build', other.url)
  expect([twice.status, twice.stderr]).toEqual([2, expect.stringContaining('`name` is Build, which another executor has')])
  expect(await here.command('executors', 'test', 'other')).toEqual({
    status: 1,
    stdout: '',
    stderr: 'tandem: there is no remote executor other\n        List them with tandem executors.\n',
  })
  const plain = await withToken('x'.repeat(20), 'add', 'far', 'http://192.168.1.20:7447')
  expect([plain.status, plain.stderr]).toEqual([2, expect.stringContaining('plain http is allowed only for')])
  const status = JSON.parse((await here.command('command', 'runtime_status', '{}')).stdout)
  expect(status.executors).toEqual([
    {
      executor_id: expect.any(String),
      name: 'build',
      state: 'failed',
      reason: 'unauthorized',
      message: expect.stringContaining('status 401'),
      next_attempt_at: expect.any(String),
    },
  ])
  const feature = status.features.find(({ name }: { name: string }) => name === 'remote_executor')
  expect(feature).toEqual({
    name: 'remote_executor',
    works: true,
    note: expect.stringMatching(
      /^0 of 1 remote executor is available\. build: The executor rejected the token\. The next attempt is at .* UTC\.$/,
    ),
  })
})
