// Lists the names of the contract in the terminal.
import { type BuiltSubject, isBuilt } from '@tandem/contract/built'
import { explainedUsage, parseArguments } from '../terminal/args.ts'

const subjects: Record<string, () => Promise<readonly string[]>> = {
  commands: async () => marked('commands', (await import('@tandem/contract/command')).commandNames),
  tools: async () => marked('tools', (await import('@tandem/contract/tool')).builtinToolNames),
  events: async () => marked('events', (await import('@tandem/contract/event')).eventNames),
  stores: async () => marked('stores', (await import('@tandem/contract/store')).storeNames),
  step_kinds: async () => marked('step_kinds', (await import('@tandem/contract/run')).stepKinds),
  workflow_event_kinds: async () => marked('workflow_event_kinds', (await import('@tandem/contract/workflow-run')).workflowRunEventKinds),
  message_authors: async () => marked('message_authors', (await import('@tandem/contract/run')).messageAuthors),
  pause_reasons: async () => marked('pause_reasons', (await import('@tandem/contract/run')).pauseReasons),
  approval_answers: async () => marked('approval_answers', (await import('@tandem/contract/run')).approvalAnswers),
  failure_stages: async () => marked('failure_stages', (await import('@tandem/contract/failure')).failureStages),
  entities: async () => {
    const { entityTypes } = await import('@tandem/contract/sync')
    return Object.entries(entityTypes).map(([name, rule]) => `${name} (${rule})`)
  },
  endpoints: async () => {
    const { routes } = await import('@tandem/contract/http/schema')
    return Object.values(routes).map(({ method, path, summary }) => `${method.padEnd(6)} ${path.padEnd(44)} ${summary}`)
  },
  problems: async () => {
    const { problems } = await import('@tandem/contract/problem')
    return Object.entries(problems).map(([code, { status, title }]) => `${status} ${code.padEnd(24)} ${title}`)
  },
}

const usage = explainedUsage('tandem names [SUBJECT]', `Lists names of the contract. The subjects are ${Object.keys(subjects).join(', ')}.`)

export async function listNames(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, {}, usage)
  if (!given.ok) return given.code
  const [subject] = given.words
  if (subject === undefined) {
    console.log(`To list names, run tandem names SUBJECT. The subjects are ${Object.keys(subjects).join(', ')}.`)
    return 0
  }
  const list = Object.hasOwn(subjects, subject) ? subjects[subject] : undefined
  if (!list) {
    console.error(`tandem: unknown subject "${subject}". The subjects are ${Object.keys(subjects).join(', ')}.`)
    return 2
  }
  console.log((await list()).join('\n'))
  return 0
}

function marked(subject: BuiltSubject, names: readonly string[]): readonly string[] {
  return names.map((name) => (isBuilt(subject, name) ? name : `${name} (not available yet)`))
}
