// The command line as users see it: a real process, its output and its exit code.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { commandNames } from '@tandem/contract/command'
import { eventNames } from '@tandem/contract/event'
import { failureStages } from '@tandem/contract/failure'
import { approvalAnswers, messageAuthors, pauseReasons, stepKinds } from '@tandem/contract/run'
import { storeNames } from '@tandem/contract/store'
import { builtinToolNames } from '@tandem/contract/tool'
import { workflowRunEventKinds } from '@tandem/contract/workflow-run'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { commands } from '../src/command/commands.ts'

const bin = fileURLToPath(new URL('../bin/tandem.js', import.meta.url))

function tandem(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8' })
  return { status, stdout: stdout.trimEnd(), stderr: stderr.trimEnd() }
}

test.each(['version', '--version', '-v'])('tandem %s', (word) => {
  expect(tandem(word)).toEqual({ status: 0, stdout: manifest.version, stderr: '' })
})

test.each(['help', '--help', '-h'])('tandem %s names every command', (word) => {
  const { status, stdout } = tandem(word)
  expect(status).toBe(0)
  for (const command of [
    'start',
    'run',
    'runs',
    'resume',
    'team',
    'agents',
    'policy',
    'mcp',
    'skills',
    'memory',
    'kb',
    'workflows',
    'account',
    'keys',
    'command',
    'server',
    'executor',
    'renew-epoch',
    'names',
  ])
    expect(stdout).toContain(`tandem ${command}`)
})

test('an unknown command is named, with the list of commands', () => {
  expect(tandem('strat')).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'tandem: unknown command "strat". The commands are start, run, runs, resume, team, checkpoints, restore, agents, policy, mcp, skills, memory, learning, evolution, kb, workflows, executors, login, logout, account, keys, sync, devices, tasks, command, server, executor, renew-epoch, names. For details, run tandem help.',
  })
})

test.each([
  [['devices', 'remove'], 'remove needs 1 argument'],
  [['devices', 'rename', 'desk'], 'rename needs 2 arguments'],
  [['devices', 'list', 'desk'], 'unexpected argument "desk"'],
])('%j is refused: %s', (args, why) => {
  const { status, stderr } = tandem(...args)
  expect([status, stderr.split('\n', 1)]).toEqual([2, [`tandem: ${why}`]])
})

test.each(['constructor', '__proto__'])('%s is not a command', (word) => {
  expect(tandem(word).status).toBe(2)
  expect(tandem('names', word).status).toBe(2)
})

test.each([
  ['tools', builtinToolNames, 'fs.write', 'agent.spawn'],
  ['commands', commandNames, 'agent_run_start', 'skill_list_versions'],
  ['events', eventNames, 'run_started', 'skill_retired'],
  ['stores', storeNames, 'runtime_run_checkpoints', 'runtime_skill_versions'],
  ['step_kinds', stepKinds, 'tool.call', 'conversation.pinned (not available yet)'],
  ['workflow_event_kinds', workflowRunEventKinds, 'started', 'node.reset'],
  ['message_authors', messageAuthors, 'task', 'workflow'],
  ['pause_reasons', pauseReasons, 'model', 'budget'],
  ['approval_answers', approvalAnswers, 'this_run', 'this_team'],
  ['failure_stages', failureStages, 'restore', 'knowledge (not available yet)'],
])('tandem names %s lists every name and marks what is not built', (subject, all, built, other) => {
  const listed = tandem('names', subject).stdout.split('\n')
  expect(listed.map((line) => line.split(' ')[0])).toEqual([...all])
  expect(listed).toEqual(expect.arrayContaining([built, other]))
})

test('tandem server takes no arguments and shows where its settings are', () => {
  expect(tandem('server', '--port')).toMatchObject({ status: 2, stderr: expect.stringContaining('environment') })
})

test('a closed output prints no stack trace', () => {
  const { stderr } = spawnSync('bash', ['-c', `"${process.execPath}" "${bin}" names endpoints | head -1`], { encoding: 'utf8' })
  expect(stderr).toBe('')
})

test.each(Object.keys(commands))('tandem %s --help shows its usage', (command) => {
  expect(tandem(command, '--help')).toEqual({ status: 0, stdout: expect.stringContaining(`usage: tandem ${command}`), stderr: '' })
})
