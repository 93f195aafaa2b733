import { type CommandError, type ListedTask, taskModes } from '@tandem/contract/command'
import { followInTerminal } from '../../run/run-session.ts'
import { withRuntimeClient } from '../../runtime-client/connect.ts'
import type { RuntimeClient } from '../../runtime-client/runtime-client.ts'
import { parseArguments, printUsage } from '../../terminal/args.ts'
import { printRefusal } from '../../terminal/refusal.ts'
import { table } from '../../terminal/table.ts'
import { stripControls } from '../../terminal/terminal-text.ts'
import { utcMinute } from '../../terminal/time.ts'
import { allDevices } from './devices.ts'

const usage = `tandem tasks [list] [--all] [--json] | tandem tasks accept TASK [--yes] [--json] | tandem tasks decline TASK
       tandem tasks mode [offer|run] | tandem tasks send "what to do" [--device DEVICE] [--description TEXT]
  A task runs on one of your devices as a normal run and asks for approval there.
  --all   all tasks of the account, not only those for this device
  mode    offer: you accept or decline each task; run: tasks for this device start automatically`

const options = {
  all: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  device: { type: 'string' },
  description: { type: 'string' },
} as const

interface Said {
  readonly all: boolean
  readonly yes: boolean
  readonly json: boolean
  readonly device?: string | undefined
  readonly description?: string | undefined
}

const verbs = { list, accept, decline, mode, send } as const

/** `tandem tasks`: tasks for this device, and tasks that it created for others. */
export async function tasks(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, usage)
  if (!given.ok) return given.code
  const [verb = 'list', word, ...more] = given.words
  if (!Object.hasOwn(verbs, verb)) return printUsage(`unknown action "${verb}"`, usage)
  if (more.length > 0 || (verb === 'list' && word !== undefined)) return printUsage(`unexpected argument "${more[0] ?? word}"`, usage)
  if (word === undefined && ['accept', 'decline'].includes(verb))
    return printUsage('specify the task; list the tasks with tandem tasks', usage)
  if (word === undefined && verb === 'send') return printUsage('describe the task', usage)
  return await withRuntimeClient(process.cwd(), (client) => verbs[verb as keyof typeof verbs](client, word, given.values))
}

async function list(client: RuntimeClient, _word: string | undefined, { all, json }: Said): Promise<number> {
  const answer = await client.call('task_list', { where: all ? 'cloud' : 'here', limit: 100 })
  if (!answer.ok) return refused(answer.error)
  const { items } = answer.value
  if (json) for (const task of items) console.log(JSON.stringify(task))
  else if (items.length === 0)
    console.log(
      all ? 'There are no tasks.' : 'There are no tasks for this device. Show the tasks of other devices with tandem tasks --all.',
    )
  else console.log(table(items.map(rowOf)))
  return 0
}

async function accept(client: RuntimeClient, task_id = '', { yes, json }: Said): Promise<number> {
  const answer = await client.call('task_accept', { task_id })
  if (!answer.ok) return refused(answer.error)
  const { run_id } = answer.value.task
  const run = run_id === null ? null : await client.call('agent_run_get', { run_id })
  if (!run?.ok) return run ? refused(run.error) : 1
  return await followInTerminal(client, run.value.run, [], { json, yes, inputTaken: false })
}

async function decline(client: RuntimeClient, task_id = '', { json }: Said): Promise<number> {
  const answer = await client.call('task_decline', { task_id })
  return answer.ok ? said(answer.value.task, json, 'The task was declined and is now canceled.') : refused(answer.error)
}

async function mode(client: RuntimeClient, word: string | undefined, { json }: Said): Promise<number> {
  const wanted = taskModes.find((name) => name === word)
  if (word !== undefined && !wanted) return printUsage(`the mode must be ${taskModes.join(' or ')}`, usage)
  const answer = wanted ? await client.call('task_set_mode', { mode: wanted }) : await client.call('task_get_mode', {})
  if (!answer.ok) return refused(answer.error)
  if (json) console.log(JSON.stringify(answer.value))
  else console.log(modes[answer.value.mode])
  return 0
}

async function send(client: RuntimeClient, title = '', { device, description, json }: Said): Promise<number> {
  const listed = device === undefined ? null : await allDevices(client)
  if (listed && !listed.ok) return refused(listed.error)
  const [one, second] = listed?.value.filter(({ device_id, name }) => device_id === device || name === device) ?? []
  if (listed && (!one || second)) {
    console.error(`tandem: ${one ? 'several devices are' : 'no device is'} named "${device}". List the devices with tandem devices.`)
    return 1
  }
  const answer = await client.call('task_create', {
    title,
    ...(description === undefined ? {} : { description }),
    ...(one ? { device_id: one.device_id } : {}),
  })
  const where = one ? stripControls(one.name) : 'the first device that accepts it'
  return answer.ok ? said(answer.value.task, json, `Task ${answer.value.task.task_id} is waiting for ${where}.`) : refused(answer.error)
}

const modes = {
  offer: 'Tasks are offered: you accept or decline each one.',
  run: 'Tasks for this device start automatically while Tandem is running; they ask for approval like every run.',
} as const

function said(task: ListedTask, json: boolean, text: string): number {
  console.log(json ? JSON.stringify(task) : text)
  return 0
}

function rowOf({ task_id, status, stage, title, error, created_at }: ListedTask): string[] {
  const state = stage === 'offered' ? 'offered to you' : status
  return [task_id, error === null ? state : `${state}: ${error}`, utcMinute(created_at), title]
}

function refused(error: CommandError): number {
  printRefusal(error)
  return error.code === 'invalid_params' ? 2 : 1
}
