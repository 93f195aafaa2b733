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
import { describe, expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { commands } from '../src/command/commands.ts'
import { unexplainedOptions } from '../src/command/option-texts.ts'
import { commandWords } from '../src/completion/command-words.ts'

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
    'models',
    'usage',
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
      'tandem: unknown command "strat". The commands are start, chat, run, conversations, import-conversations, runs, models, usage, resume, team, changes, checkpoints, restore, agents, policy, mcp, skills, memory, learning, evolution, kb, workflows, executors, login, logout, account, keys, sync, devices, tasks, install-desktop, config, completion, command, server, executor, renew-epoch, names. For details, run tandem help.',
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
  ['step_kinds', stepKinds, 'tool.call', 'conversation.pinned'],
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

describe('tandem COMMAND --help', () => {
  const helps = new Map<string, string>()

  test.each(Object.keys(commands))('%s: its usage, its options explained, and examples', (command) => {
    const { status, stdout, stderr } = tandem(command, '--help')
    helps.set(command, stdout)
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: expect.stringContaining(`usage: tandem ${command}`), stderr: '' })
    expect(stdout.split('Examples:')[1]).toContain('tandem')
    const [usage = '', rest = ''] = stdout.split('\nOptions:')
    expect(unexplainedOptions(usage).filter((option) => !rest.includes(`  ${option} `))).toEqual([])
  })

  test('completion knows the actions and options that the helps show', () => {
    for (const command of Object.keys(commands)) if (!helps.has(command)) helps.set(command, tandem(command, '--help').stdout)
    const shown = Object.fromEntries(
      [...helps].map(([command, help]) => [command, { actions: actionsIn(command, help), options: optionsIn(help) }]),
    )
    expect(commandWords).toEqual(shown)
  })

  function optionsIn(help: string): string[] {
    const found = help.split('\n\n', 1)[0]?.match(/--[a-z][a-z-]*[a-z]/g) ?? []
    return [...new Set(found)].filter((option) => option !== '--help').sort()
  }

  /** The words that follow the command in its usage; some are alternatives. */
  function actionsIn(command: string, help: string): string[] {
    const usage = help.split('\n\n', 1)[0] ?? ''
    const found = [...usage.matchAll(new RegExp(`tandem ${command} \\[?([a-z|-]+)(?=[\\s\\]]|$)`, 'gm'))].flatMap(([, words = '']) =>
      words.split('|'),
    )
    return [...new Set(found.filter((word) => /^[a-z]/.test(word)))].sort()
  }
})

test('tandem completion completes commands, actions and options in bash', () => {
  const script = tandem('completion', 'bash').stdout
  const completed = (...words: string[]) => {
    const last = words.length - 1
    const bash = `${script}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${last}; _tandem; printf '%s\\n' "\${COMPREPLY[@]}"`
    return spawnSync('bash', ['-c', bash], { encoding: 'utf8' }).stdout.trim().split('\n')
  }
  expect(completed('tandem', 'conv')).toEqual(['conversations'])
  expect(completed('tandem', 'kb', 're')).toEqual(['reindex', 'remove', 'rename'])
  expect(completed('tandem', 'run', '--out')).toEqual(['--output', '--output-schema'])
  expect(completed('tandem', 'run', 'no')).toEqual([''])
})

test.each(['zsh', 'fish'])('tandem completion %s names every command', (shell) => {
  const { status, stdout } = tandem('completion', shell)
  expect(status).toBe(0)
  for (const command of Object.keys(commands)) expect(stdout).toContain(command)
  expect(tandem('completion', 'tcsh')).toMatchObject({ status: 2, stderr: expect.stringContaining('bash, zsh, fish') })
})
