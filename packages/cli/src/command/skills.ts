import { resolve } from 'node:path'
import type { CommandResult, ListedSkill, ListedSkillBinding } from '@tandem/contract/command'
import { type SandboxMode, sandboxModes } from '@tandem/contract/tool'
import { exitCodes } from '../run/exit-code.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, joinUsages, parseArguments, printUsage } from '../terminal/args.ts'
import { styled } from '../terminal/style.ts'
import { table } from '../terminal/table.ts'
import { escapeControls, singleLine, stripControls } from '../terminal/terminal-text.ts'
import { resolveAgent } from './policy.ts'
import { bind, bindUsage, unbind, unbindUsage } from './skills/bind.ts'
import { printSkillRefusal, skillText } from './skills/text.ts'

const place = '[--workspace DIR] [--sandbox MODE]'
const usage = joinUsages(
  explainedUsage(`tandem skills [list] ${place} [--json]`, 'Lists the skills that were found, and why some cannot be used.'),
  explainedUsage(
    `tandem skills check ${place} [--json]`,
    'Lists the problems and notes of all skills. The exit code is 1 if there are problems.',
  ),
  explainedUsage(`tandem skills show NAME ${place} [--json]`, 'Shows a skill in full.'),
  explainedUsage(`tandem skills bound [--agent NAME] ${place} [--json]`, 'Lists the skills that are assigned to an agent.'),
  bindUsage,
  unbindUsage,
)

const options = {
  agent: { type: 'string' },
  workspace: { type: 'string' },
  sandbox: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

interface SkillPlace {
  readonly workspace: string
  readonly sandbox_mode?: SandboxMode
}

/** `tandem skills`: which skills were found, their problems, and their bindings. */
export async function skills(args: readonly string[]): Promise<number> {
  const [verb = 'list'] = args
  if (verb === 'bind') return await bind(args.slice(1))
  if (verb === 'unbind') return await unbind(args.slice(1))
  const given = parseArguments(args, options, usage)
  if (!given.ok) return given.code
  const [word = 'list', name, ...more] = given.words
  const { agent, workspace = '.', sandbox, json } = given.values
  const sandbox_mode = sandboxModes.find((mode) => mode === sandbox)
  if (sandbox !== undefined && !sandbox_mode) return printUsage(`--sandbox must be one of ${sandboxModes.join(', ')}`, usage)
  if (!['list', 'check', 'show', 'bound'].includes(word)) return printUsage(`unknown action "${word}"`, usage)
  if (more.length > 0 || (name !== undefined) !== (word === 'show'))
    return printUsage('show needs one skill; the other actions take none', usage)
  if (agent !== undefined && word !== 'bound') return printUsage('--agent is only valid with bound, bind and unbind', usage)
  const at: SkillPlace = { workspace: resolve(workspace), ...(sandbox_mode ? { sandbox_mode } : {}) }

  return await withRuntimeClient(process.cwd(), async (client) => {
    if (word === 'check') return await check(client, at, json)
    if (word === 'bound') return await bound(client, at, agent, json)
    return name === undefined ? await list(client, at, json) : await show(client, at, name, json)
  })
}

async function list(client: RuntimeClient, at: SkillPlace, json: boolean): Promise<number> {
  const all = await everySkill(client, at)
  if (!all.ok) return printSkillRefusal(all.error)
  if (json) for (const one of all.value) console.log(JSON.stringify(one))
  else if (all.value.length === 0)
    console.log('No skills found. Put a folder with a SKILL.md into ~/.tandem/skills, or into .tandem/skills in the workspace.')
  else console.log(table(all.value.map(rowOf)))
  return 0
}

function rowOf({ skill, suspicions }: ListedSkill): string[] {
  const noted = skill.notes.length > 0 ? 'usable, with notes' : 'usable'
  const state = skill.problems.map(({ reason, name }) => `${reason} ${name}`).join('; ') || noted
  const odd = suspicions.some(({ grave }) => grave) ? 'suspicious: read it first' : ''
  return [skill.name, skill.root, singleLine(state, 60), odd, singleLine(skill.description, 80)]
}

/** Exit code 1 if one of them cannot be used here. */
async function check(client: RuntimeClient, at: SkillPlace, json: boolean): Promise<number> {
  const all = await everySkill(client, at)
  if (!all.ok) return printSkillRefusal(all.error)
  const checked = await client.call('skill_check', at)
  if (!checked.ok) return printSkillRefusal(checked.error)
  const { found, usable, notices } = checked.value
  const troubled = all.value.filter(({ skill, suspicions }) => skill.problems.length + skill.notes.length + suspicions.length > 0)
  if (json) console.log(JSON.stringify({ found, usable, notices, skills: troubled }))
  else {
    for (const { skill, suspicions } of troubled) {
      console.log(`${styled('bold', skill.name, process.stdout)} ${stripControls(skill.path)}`)
      for (const { title, hint } of skill.problems) console.log(`  ${stripControls(title)}. ${escapeControls(hint)}`)
      for (const note of skill.notes) console.log(`  Note: ${escapeControls(note)}`)
      for (const { title, excerpt } of suspicions) console.log(`  ! ${stripControls(title)}: ${singleLine(excerpt, 100)}`)
    }
    for (const { title, path } of notices) console.log(`${stripControls(title)}: ${escapeControls(path)}`)
    console.log(`${found} found, ${usable} usable.`)
  }
  return usable === found ? 0 : exitCodes.failed
}

async function show(client: RuntimeClient, at: SkillPlace, name: string, json: boolean): Promise<number> {
  const got = await client.call('skill_get', { name, ...at })
  if (!got.ok) return printSkillRefusal(got.error)
  console.log(json ? JSON.stringify(got.value) : skillText(got.value))
  return 0
}

async function bound(client: RuntimeClient, at: SkillPlace, agent: string | undefined, json: boolean): Promise<number> {
  const agent_id = await resolveAgent(client, agent)
  if (!agent_id.ok) return printSkillRefusal(agent_id.error)
  const all: ListedSkillBinding[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: CommandAnswer<CommandResult<'skill_binding_list'>> = await client.call('skill_binding_list', {
      agent_id: agent_id.value,
      ...at,
      limit: 200,
      ...(cursor ? { cursor } : {}),
    })
    if (!page.ok) return printSkillRefusal(page.error)
    all.push(...page.value.items)
    cursor = page.value.next_cursor
  }
  if (json) for (const one of all) console.log(JSON.stringify(one))
  else if (all.length === 0) console.log('No skills are assigned to this agent. Assign one with tandem skills bind NAME.')
  else
    console.log(
      table(
        all.map(({ binding, title, problems, folder_note }) => [
          binding.skill_name,
          binding.binding_policy,
          title === null
            ? ['in use', ...(folder_note === null ? [] : [folder_note])].join('. ')
            : [title, ...problems.map(({ hint }) => hint)].join('. '),
        ]),
      ),
    )
  return 0
}

async function everySkill(client: RuntimeClient, at: SkillPlace): Promise<CommandAnswer<ListedSkill[]>> {
  const all: ListedSkill[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: CommandAnswer<CommandResult<'skill_list'>> = await client.call('skill_list', {
      ...at,
      limit: 200,
      ...(cursor ? { cursor } : {}),
    })
    if (!page.ok) return page
    all.push(...page.value.items)
    cursor = page.value.next_cursor
  }
  return { ok: true, value: all }
}
