// Each of the twelve checks, failing and passing on this host. What a test cannot change on a host, it changes in a namespace.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ListedExecutor } from '@tandem/contract/executor'
import type { HostSystem, SkillRequirements } from '@tandem/contract/skill'
import { type CompatibilityCheck, compatibilityCheckNames } from '@tandem/contract/skill-recommendation'
import { CompatibilityReport } from '@tandem/contract/skill-recommendation/schema'
import type { SandboxMode } from '@tandem/contract/tool'
import fc from 'fast-check'
import { Check } from 'typebox/value'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { offeredHost } from '../../test/support/executor/test-executor.ts'
import { createSkillTestEnvironment, requiring, type SkillTestEnvironment, skillText } from '../../test/support/skill/test-skills.ts'
import { chooseExecutor } from './compatibility.ts'
import { noRequirements } from './requirements.ts'

let ground: SkillTestEnvironment
let environment: Record<string, string | undefined>
let executors: ListedExecutor[]
beforeEach(() => {
  environment = { PATH: process.env.PATH }
  executors = []
  const user_home = '/nonexistent'
  ground = createSkillTestEnvironment({
    host: {
      platform: process.platform,
      user_home,
      get environment() {
        return environment
      },
    },
    executors: () => executors,
  })
})
afterEach(() => ground.close())

/** The checks that have failed and passed here. */
const seen = { failed: new Set<string>(), passed: new Set<string>() }

function noted(check: CompatibilityCheck, results: readonly { readonly check: string; readonly result: string }[]) {
  const found = results.find((one) => one.check === check)
  if (found?.result === 'failed' || found?.result === 'passed') seen[found.result].add(check)
  return found
}

/** The report about a skill with these requirements. */
async function report(check: CompatibilityCheck, requires: Partial<SkillRequirements>, sandbox_mode: SandboxMode = 'workspace') {
  ground.write(join(ground.own, 'one/SKILL.md'), skillText('one', requiring(JSON.stringify(requires))))
  const got = await ground.service.getSkill({ ...ground.situation, sandbox_mode }, 'one')
  if (!got.ok) throw new Error(got.failure.message)
  const { compatibility, skill } = got.value
  expect(Check(CompatibilityReport, compatibility)).toBe(true)
  expect([compatibility.compatible, compatibility.resolved_path]).toEqual([skill.problems.length === 0, skill.path])
  expect(compatibility.checks.map((one) => one.check)).toEqual(compatibilityCheckNames)
  const found = noted(check, compatibility.checks)
  return found && 'because' in found ? found.because : found && 'problems' in found ? found.problems : found?.result
}

const failing = (reason: string, name: string) => [expect.objectContaining({ reason, name })]
const own = { linux: 'linux', darwin: 'darwin', win32: 'windows' }[process.platform as string] as HostSystem

test('host_os', async () => {
  const other = own === 'darwin' ? 'windows' : 'darwin'
  expect(await report('host_os', { host_os: [other] })).toEqual(failing('unsupported_os', other))
  expect(await report('host_os', { host_os: [other, own] })).toBe(`This device runs ${own}.`)
})

test('workspace_markers', async () => {
  const requires = { workspace_markers: ['Cargo.toml', '*.lock'] }
  ground.write(join(ground.workspace, 'a.lock'), '')
  expect(await report('workspace_markers', requires)).toEqual(failing('missing_marker', 'Cargo.toml'))
  ground.write(join(ground.workspace, 'Cargo.toml'), '')
  expect(await report('workspace_markers', requires)).toBe('The workspace contains Cargo.toml. The workspace contains a.lock.')
})

test('required_sandbox', async () => {
  expect(await report('required_sandbox', { required_sandbox: 'workspace' }, 'strict')).toEqual(failing('sandbox_too_strict', 'workspace'))
  expect(await report('required_sandbox', { required_sandbox: 'workspace' }, 'trusted')).toBe('The sandbox mode is trusted.')
})

test('binaries', async () => {
  environment.PATH = join(ground.root, 'bin')
  const program = ground.write(join(ground.root, 'bin/made'), '#!/bin/sh\n')
  chmodSync(program, 0o644)
  expect(await report('binaries', { binaries: ['made'] })).toEqual(failing('missing_binary', 'made'))
  chmodSync(program, 0o755)
  expect(await report('binaries', { binaries: ['made'] })).toBe(`made is ${program}.`)
})

test('env', async () => {
  environment.TOKEN = ''
  expect(await report('env', { env: ['TOKEN'] })).toEqual(failing('missing_env', 'TOKEN'))
  environment.TOKEN = 'secret value'
  expect(await report('env', { env: ['TOKEN'] })).toBe('TOKEN is set.')
})

test('paths', async () => {
  expect(await report('paths', { paths: ['data/model.bin'] })).toEqual(failing('missing_path', 'data/model.bin'))
  const file = ground.write(join(ground.workspace, 'data/model.bin'), '')
  expect(await report('paths', { paths: ['data/model.bin'] })).toBe(`${file} exists.`)
})

const child = fileURLToPath(new URL('../../test/support/skill/test-compatibility-child.ts', import.meta.url))
const inNamespace = (check: CompatibilityCheck, wrapper: readonly string[], requires: Partial<SkillRequirements>) => {
  const asked = JSON.stringify({ requires: { ...noRequirements, ...requires }, workspace: ground.workspace, environment })
  const [program = '', ...args] = [...wrapper, process.execPath, child, asked]
  return noted(check, JSON.parse(execFileSync(program, args, { encoding: 'utf8' })))
}

test('workspace_write_access: a mount that is read-only, and one that is not', async () => {
  const wrapper = ['bwrap', '--dev-bind', '/', '/', '--ro-bind', ground.workspace, ground.workspace]
  const requires = { workspace_write_access: true }
  expect(inNamespace('workspace_write_access', wrapper, requires)).toMatchObject({
    result: 'failed',
    problems: failing('workspace_read_only', ground.workspace),
  })
  expect(await report('workspace_write_access', requires)).toBe(`${ground.workspace} is writable.`)
})

test('container: docker needs its service, podman needs user namespaces', async () => {
  const bin = join(ground.root, 'bin')
  environment.PATH = bin
  const missing = failing('needs_container', 'docker or podman')
  expect(await report('container', { container: true })).toEqual(missing)
  chmodSync(ground.write(join(bin, 'docker'), '#!/bin/sh\n'), 0o755)
  const socket = join(ground.root, 'docker.sock')
  environment.DOCKER_HOST = `unix://${socket}`
  expect(await report('container', { container: true })).toEqual(missing)
  const service = createServer()
  await new Promise<void>((resolve) => service.listen(socket, resolve))
  expect(await report('container', { container: true })).toBe(`${join(bin, 'docker')} can run containers.`)
  await new Promise((resolve) => service.close(resolve))
  expect(await report('container', { container: true })).toEqual(missing)

  chmodSync(ground.write(join(bin, 'podman'), '#!/bin/sh\n'), 0o755)
  const script = (count: number) => ['unshare', '-Ur', 'sh', '-c', `echo ${count} > /proc/sys/user/max_user_namespaces && exec "$@"`, 'sh']
  expect(inNamespace('container', script(0), { container: true })).toMatchObject({ result: 'failed', problems: missing })
  expect(inNamespace('container', script(10), { container: true })).toMatchObject({
    result: 'passed',
    because: `${join(bin, 'podman')} can run containers.`,
  })
})

test('virtualenv: one that was created, and one whose Python is gone', async () => {
  const requires = { virtualenv: true }
  const missing = failing('needs_virtualenv', '.venv')
  expect(await report('virtualenv', requires)).toEqual(missing)
  const created = (name: string) => {
    const folder = join(ground.workspace, name)
    execFileSync('python3', ['-m', 'venv', '--without-pip', folder])
    return folder
  }
  const inWorkspace = created('.venv')
  expect(await report('virtualenv', requires)).toBe(`${inWorkspace} is a virtual environment.`)
  rmSync(join(inWorkspace, 'bin', 'python'))
  expect(await report('virtualenv', requires)).toEqual(missing)
  const active = created('elsewhere')
  environment.VIRTUAL_ENV = active
  expect(await report('virtualenv', requires)).toBe(`${active} is a virtual environment.`)
  rmSync(active, { recursive: true })
  expect(await report('virtualenv', requires)).toEqual(missing)
  environment.CONDA_PREFIX = join(ground.root, 'conda')
  expect(await report('virtualenv', requires)).toEqual(missing)
  mkdirSync(join(ground.root, 'conda', 'conda-meta'), { recursive: true })
  expect(await report('virtualenv', requires)).toBe(`${environment.CONDA_PREFIX} is a virtual environment.`)
})

function listed(name: string, protocol: string, capabilities: readonly string[], state: ListedExecutor['state'] = 'ready'): ListedExecutor {
  const of = { executor_id: '01a1e4b0-6b9f-7021-8646-1a860de57084', executor_url: 'https://build.example' }
  return {
    ...of,
    name,
    certificate_sha256: 'a'.repeat(64),
    added_at: '2026-03-01T09:00:00.000Z',
    agents: [],
    state,
    negotiation: {
      ...of,
      outcome: 'negotiated',
      method: 'handshake',
      protocol,
      executor: offeredHost,
      capabilities: capabilities.map((one) => ({ name: one, version: null })),
      health: null,
      session_id: null,
      negotiated_at: '2026-03-01T09:00:00.000Z',
      expires_at: '2026-03-01T09:05:00.000Z',
      next_attempt_at: '2026-03-01T09:04:00.000Z',
    },
  }
}

test('remote_host: none, one that is too old, and one that is available', async () => {
  const requires = { remote_host: true }
  expect(await report('remote_host', requires)).toEqual(failing('needs_remote_host', 'this skill'))
  executors = [listed('build', 'tandem-executor/1', [], 'expired')]
  const hint = 'build: Its last negotiation has expired. The next attempt is at 2026-03-01 09:04:00 UTC.'
  expect(await report('remote_host', requires)).toEqual([expect.objectContaining({ reason: 'needs_remote_host', hint })])
  executors = [listed('build', 'tandem-executor/1', [])]
  expect(await report('remote_host', requires)).toBe('build is available.')
})

test('remote_executor_protocol', async () => {
  const requires = { remote_executor_protocol: 'tandem-executor/1' }
  executors = [listed('build', 'tandem-executor/2', [])]
  expect(await report('remote_executor_protocol', requires)).toEqual(failing('executor_protocol_mismatch', 'tandem-executor/1'))
  executors.push(listed('other', 'tandem-executor/1', []))
  expect(await report('remote_executor_protocol', requires)).toBe('other uses tandem-executor/1.')
})

test('required_remote_capabilities: one executor must have all of them', async () => {
  const requires = { required_remote_capabilities: ['gpu', 'program.git'] }
  executors = [listed('build', 'tandem-executor/1', ['gpu']), listed('other', 'tandem-executor/1', ['program.git'])]
  expect(await report('required_remote_capabilities', requires)).toEqual(failing('missing_remote_capability', 'program.git'))
  executors.push(listed('both', 'tandem-executor/1', ['gpu', 'program.git']))
  expect(await report('required_remote_capabilities', requires)).toBe('both offers gpu. both offers program.git.')
})

test('a chosen executor lacks no more than any other', () => {
  const names = fc.subarray(['a', 'b', 'c', 'd'])
  const protocols = fc.constantFrom('tandem-executor/1', 'tandem-executor/2')
  const one = fc.tuple(fc.constantFrom('x', 'y', 'z'), protocols, names, fc.constantFrom('ready', 'expired', 'failed', 'untested'))
  fc.assert(
    fc.property(fc.array(one), fc.option(protocols), names, (all, remote_executor_protocol, required_remote_capabilities) => {
      const lacks = (protocol: string, has: readonly string[]) =>
        required_remote_capabilities.filter((name) => !has.includes(name)).length +
        (remote_executor_protocol === null || protocol === remote_executor_protocol ? 0 : 1_000)
      const available = all.filter(([, , , state]) => state === 'ready')
      const chosen = chooseExecutor(
        { remote_executor_protocol, required_remote_capabilities },
        all.map(([name, protocol, has, state]) => listed(name, protocol, has, state as ListedExecutor['state'])),
      )
      if (available.length === 0) expect(chosen).toBe(null)
      else
        expect(chosen && lacks(chosen.protocol, chosen.capabilities)).toBe(
          Math.min(...available.map(([, protocol, has]) => lacks(protocol, has))),
        )
    }),
  )
})

test('a recommendation: its SKILL.md is resolved first, and counts instead of what was planned', async () => {
  const planned = { ...noRequirements, binaries: ['no-such-program'] }
  const check = (skill_path: string | null) => ground.service.checkRecommendation(ground.situation, { skill_path, requires: planned })
  const path = ground.write(join(ground.own, 'draft/SKILL.md'), skillText('draft', requiring('{binaries: [sh]}')))
  expect(await check(null)).toMatchObject({ compatible: false, resolved_path: null })
  expect(await check(path)).toMatchObject({ compatible: true, resolved_path: path })
  expect(await check(join(ground.own, 'other/../draft/../draft/SKILL.md'))).toMatchObject({ compatible: true, resolved_path: path })
  writeFileSync(path, skillText('draft', requiring('{binaries: [another-missing-program]}')))
  expect(await check(path)).toMatchObject({ compatible: false, resolved_path: path })
  for (const wrong of [join(ground.own, 'gone/SKILL.md'), '/etc/hostname', `${path}\0`]) {
    const result = await check(wrong)
    expect(Check(CompatibilityReport, result)).toBe(true)
    expect(result).toMatchObject({ compatible: false, resolved_path: null })
    expect(result.checks.find((one) => one.check === 'paths')).toMatchObject({ result: 'failed', problems: failing('missing_path', wrong) })
  }
})

test('binding reports the checks, and a run gets the skill only while they pass', async () => {
  ground.write(join(ground.own, 'train/SKILL.md'), skillText('train', requiring('{remote_host: true}')))
  const request = { agent_id: 'agent', skill_name: 'train', binding_policy: 'always', source: 'user', recommendation_id: null } as const
  const bound = await ground.service.bindSkill(ground.situation, { ...request, reviewed_sha256: null })
  expect(bound).toMatchObject({ ok: true, value: { barrier: 'problems', problems: failing('needs_remote_host', 'this skill') } })
  const injected = async () => {
    const { skills, left_out } = await ground.service.injectionFor(ground.situation, 10_000)
    return [skills.map(({ skill_name }) => skill_name), left_out.map(({ skill_name }) => skill_name)]
  }
  expect(await injected()).toEqual([[], ['train']])
  executors = [listed('build', 'tandem-executor/1', [])]
  expect(await injected()).toEqual([['train'], []])
  executors = []
  expect(await injected()).toEqual([[], ['train']])
  expect(await ground.service.load(ground.situation, 'train')).toMatchObject({ ok: false, failure: { code: 'not_usable' } })
})

test('every check has failed and passed above', () => {
  expect(compatibilityCheckNames.filter((name) => !seen.failed.has(name) || !seen.passed.has(name))).toEqual([])
})
