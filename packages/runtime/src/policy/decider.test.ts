import { defaultToolPolicy, sandboxModes } from '@tandem/contract/tool'
import { expect, test } from 'vitest'
import { noExecutors } from '../../test/support/executor/no-executors.ts'
import type { RemoteGrant } from '../call/remote.ts'
import { type DecidedCall, openDecider, strictRefusal } from './decider.ts'

const call: DecidedCall = {
  run: { run_id: 'run', agent_id: 'agent' },
  tool: 'mcp.files.read',
  effects: [{ does: 'send', host: 'mcp:files' }],
  workspace: '/work',
  sandbox_mode: 'workspace',
  policy: { ...defaultToolPolicy('mcp.files.read'), approval_mode: 'auto' },
  remembered: [],
}

const origin = (is_program: boolean, warnings: readonly string[] = []) => ({
  ...{ is_program, fingerprint: () => '', warnings: () => warnings, approved: () => undefined },
})

test('strict mode refuses only programs that the sandbox cannot restrict', () => {
  const refused = sandboxModes.flatMap((sandbox_mode) =>
    [origin(true), origin(false), undefined].flatMap((known) =>
      (['os', 'none'] as const).flatMap((enforcement) => {
        const decision = strictRefusal({ ...call, sandbox_mode, origin: known }, enforcement)
        return decision ? [[sandbox_mode, known?.is_program, enforcement, decision]] : []
      }),
    ),
  )
  expect(refused).toEqual([
    [
      'strict',
      true,
      'none',
      {
        decision: 'refuse',
        stage: 'sandbox_enforcement',
        reason_code: 'sandbox_unavailable',
        message: 'mcp.files.read is a program on this device; strict mode requires a sandbox for it, and none is available on this machine',
        remedy: 'Install what the sandbox needs (the Diagnostics page shows what is missing), or run the agent in workspace mode.',
      },
    ],
  ])
})

test('a tool that was not approved in its current form needs approval, with its warnings', async () => {
  const warmed: string[] = []
  const decide = openDecider({
    warm: (mode) => void warmed.push(mode),
    enforcement: () => 'os',
    unprotected: () => [],
    remoteGrant: ({ agent_id }, executor) => noExecutors.grantOf(agent_id, executor),
    changes: { among: () => [], isApproved: () => false },
    targetsOf: () => [],
  })
  expect(await decide({ ...call, origin: origin(true) })).toMatchObject({ decision: 'allow' })
  expect(await decide({ ...call, origin: origin(true, ['It is new.']) })).toMatchObject({
    decision: 'ask',
    warnings: ['It is new.'],
    remembers: [],
  })
  expect(warmed).toEqual([])
  await decide({ ...call, tool: 'shell.exec', effects: [{ does: 'execute', command: 'ls', cwd: '.', language: 'shell' }] })
  expect(warmed).toEqual(['workspace'])
})

test('enforcement is determined only if the decision needs it', async () => {
  const asked: string[] = []
  const decide = openDecider({
    warm: () => undefined,
    enforcement(mode) {
      asked.push(mode)
      return 'none'
    },
    unprotected: () => [],
    remoteGrant: ({ agent_id }, executor) => noExecutors.grantOf(agent_id, executor),
    changes: { among: () => [], isApproved: () => false },
    targetsOf: () => [],
  })
  const write = { ...call, tool: 'fs.write', effects: [{ does: 'write' as const, path: 'a' }] }
  expect(await decide({ ...write, sandbox_mode: 'strict' })).toEqual({ decision: 'allow' })
  expect(asked).toEqual([])
  expect(await decide({ ...call, sandbox_mode: 'strict', origin: origin(true) })).toMatchObject({ reason_code: 'sandbox_unavailable' })
  const command = {
    ...call,
    tool: 'shell.exec',
    effects: [{ does: 'execute' as const, command: 'ls', cwd: '.', language: 'shell' as const }],
  }
  expect(await decide(command)).toMatchObject({ decision: 'ask' })
  expect(asked).toEqual(['strict', 'workspace'])
})

test('a command on another machine needs a grant and, each time, an approval that names the machine', async () => {
  const machine = { name: 'build', executor_url: 'https://build.example', certificate_sha256: 'ab'.repeat(32), sandbox: 'os' as const }
  const refusal = { ok: false, reason_code: 'executor_not_granted', message: 'not build', remedy: 'Grant it.' } as const
  const decideWith = (grant: RemoteGrant) =>
    openDecider({
      ...{ warm: () => undefined, enforcement: () => 'os', remoteGrant: () => grant, targetsOf: () => [] },
      unprotected: () => [],
      changes: { among: () => [], isApproved: () => false },
    })
  const effects = [{ does: 'execute_remotely', executor: 'build', command: 'make' }] as const
  const remote = { ...call, tool: 'shell.exec', effects, remembered: [{ kind: 'tool' as const }] }
  expect(await decideWith(refusal)(remote)).toEqual({
    ...{ decision: 'refuse', stage: 'policy_enforcement', reason_code: 'executor_not_granted', message: 'not build', remedy: 'Grant it.' },
  })
  for (const approval_mode of ['auto', 'required', 'manual_each_call'] as const) {
    const decision = await decideWith({ ok: true, machine })({ ...remote, policy: { ...call.policy, approval_mode } })
    expect(decision).toMatchObject({ decision: 'ask', choices: ['once', 'no'], remembers: [] })
    const [warning] = decision.decision === 'ask' ? decision.warnings : []
    expect(warning).toBe(
      `Runs on another machine: build, https://build.example, with the certificate ${'ab'.repeat(32)}. It reports that it restricts commands to a folder for each of them. Nothing on that machine can be restored.`,
    )
  }
  expect(await decideWith({ ok: true, machine })({ ...remote, sandbox_mode: 'strict' })).toMatchObject({ reason_code: 'blocked_in_strict' })
})

test('what the sandbox does not protect is a warning of each command: rules do not cover it', async () => {
  const seen: string[] = []
  const decideWith = (enforcement: 'os' | 'none', gaps: readonly string[]) =>
    openDecider({
      ...{ warm: () => undefined, enforcement: () => enforcement, targetsOf: () => [] },
      unprotected(workspace) {
        seen.push(workspace)
        return gaps
      },
      remoteGrant: ({ agent_id }, executor) => noExecutors.grantOf(agent_id, executor),
      changes: { among: () => [], isApproved: () => false },
    })
  const list = {
    ...{ ...call, tool: 'shell.exec', policy: { ...call.policy, approval_mode: 'required' as const } },
    effects: [{ does: 'execute' as const, command: 'ls', cwd: '.', language: 'shell' as const }],
    remembered: [{ kind: 'command' as const, words: ['ls'] }],
  }
  expect(await decideWith('os', [])(list)).toMatchObject({ decision: 'allow' })
  expect(await decideWith('os', ['Some repositories are not protected.'])(list)).toMatchObject({
    ...{ decision: 'ask', warnings: ['Some repositories are not protected.'], remembers: [] },
  })
  await decideWith('none', ['Some repositories are not protected.'])(list)
  await decideWith('os', [])(call)
  expect(seen).toEqual(['/work', '/work'])
})
