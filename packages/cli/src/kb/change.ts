// `tandem kb cancel`, `share` and `rename`.
import type { KnowledgeSource } from '@tandem/contract/knowledge'
import { agentNames } from '../command/agents.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { flag, json, text } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { ownerText, resolveOwner } from './owner.ts'
import { findSource, oneSource } from './source.ts'
import { nameText } from './text.ts'

export const cancelUsage = explainedUsage(
  'tandem kb cancel SOURCE [--json]',
  'Stops reading a source. What was read until then can be found. It is not checked for changes until you reindex it.',
)
export const shareUsage = explainedUsage(
  'tandem kb share SOURCE --agent NAME | --workspace PATH | --everyone [--json]',
  'Changes who can find a source: one agent, agents that work in a folder, or all agents.',
)
export const renameUsage = explainedUsage('tandem kb rename SOURCE NAME [--json]', 'Renames a source. Citations then use the new name.')

export async function cancel(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json }, cancelUsage)
  if (!given.ok) return given.code
  const [wanted, ...more] = given.words
  if (wanted === undefined || wanted === '' || more.length > 0) return printUsage(oneSource, cancelUsage)
  return await withSource(wanted, async (client, before) => {
    const answer = await client.call('kb_cancel', { source_id: before.source_id })
    if (!answer.ok) return refused(answer.error)
    const isRead = before.state === 'waiting' || before.state === 'reading'
    const done = isRead
      ? `Stopped reading ${nameText(before)}. What was read until now can be found.`
      : `${nameText(before)} is not being read.`
    console.log(given.values.json ? JSON.stringify(answer.value) : done)
    return 0
  })
}

export async function share(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { agent: text, workspace: text, everyone: flag, json }, shareUsage)
  if (!given.ok) return given.code
  const { agent, workspace, everyone } = given.values
  const [wanted, ...more] = given.words
  if (wanted === undefined || wanted === '' || more.length > 0) return printUsage(oneSource, shareUsage)
  const chosen = [agent !== undefined, workspace !== undefined, everyone].filter((isChosen) => isChosen)
  if (chosen.length !== 1) return printUsage('specify one of --agent, --workspace and --everyone', shareUsage)
  if (workspace === '') return printUsage('--workspace must not be empty', shareUsage)
  return await withSource(wanted, async (client, { source_id }) => {
    const owner = await resolveOwner(client, { agent, workspace })
    if (!owner.ok) return refused(owner.error)
    const answer = await client.call('kb_update', { source_id, owner: owner.value })
    if (!answer.ok) return refused(answer.error)
    const { source } = answer.value
    const done = async () => `${nameText(source)} can now be found by ${ownerText(source.owner, await agentNames(client))}.`
    console.log(given.values.json ? JSON.stringify(answer.value) : await done())
    return 0
  })
}

export async function rename(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json }, renameUsage)
  if (!given.ok) return given.code
  const [wanted, name, ...more] = given.words
  if (wanted === undefined || wanted === '' || name === undefined || name.trim() === '' || more.length > 0)
    return printUsage('specify a source and its new name; put a name with spaces in quotation marks', renameUsage)
  return await withSource(wanted, async (client, before) => {
    const answer = await client.call('kb_update', { source_id: before.source_id, name })
    if (!answer.ok) return refused(answer.error)
    const { source } = answer.value
    console.log(given.values.json ? JSON.stringify(answer.value) : `${nameText(before)} is now named ${nameText(source)}.`)
    return 0
  })
}

export async function withSource(
  wanted: string,
  work: (client: RuntimeClient, source: KnowledgeSource) => Promise<number>,
): Promise<number> {
  return await withRuntimeClient(process.cwd(), async (client) => {
    const source = await findSource(client, wanted)
    return source.ok ? await work(client, source.value) : refused(source.error)
  })
}
