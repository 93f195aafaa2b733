// The model of the team benchmark: what the lead and its members do.
import { resultCount, type Say, serveScript } from './scripted-model.ts'
import { childCount, memberTask } from './team-job.ts'

const children = Array.from({ length: childCount }, (_, at) => ({ title: `Child ${at}`, task: memberTask(5) }))

/** The name and arguments of each subject's tool; the first one that is offered is called. */
const tools = {
  delegate: [
    { name: 'agent__delegate', arguments: { title: 'Member', task: memberTask(0) } },
    { name: 'delegate', arguments: { input: memberTask(0) } },
    { name: 'transfer_to_member', arguments: {} },
  ],
  spawn: [{ name: 'agent__spawn', arguments: { members: children } }],
} as const

serveScript(sayTo)

/** A member has its task in a message of its own; where the lead names it, its quotes are escaped. */
function sayTo(body: string): Say {
  const made = resultCount(body)
  const [, steps] = /"(?:content|text)":"bench member: (\d+)/.exec(body) ?? []
  if (steps !== undefined) return made < Number(steps) ? { call: 'time__now', arguments: '{}', id: `call_${made}` } : { text: 'Done.' }
  const [, job] = /bench lead: (\w+)/.exec(body) ?? []
  const offered = tools[job as keyof typeof tools]?.find(({ name }) => body.includes(`"name":"${name}"`))
  return made === 0 && offered ? { call: offered.name, arguments: JSON.stringify(offered.arguments), id: 'call_1' } : { text: 'Done.' }
}
