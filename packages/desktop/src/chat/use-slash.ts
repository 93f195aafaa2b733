// What the slash commands of the composer do.
import { type ListedModel, searchModels } from '@tandem/contract/model'
import { useEffect, useState } from 'react'
import { goTo, restoreAddress } from '../address.ts'
import { readThreadMessages } from '../client/branch-messages.ts'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { openShortcuts } from '../part/shortcuts.ts'
import { changedSince, placeOf } from '../store/branch-source.ts'
import { segmentsOf } from '../store/branches.ts'
import { keepChoice } from '../store/draft.ts'
import { locale } from '../strings/locale.ts'
import { modelWords } from '../strings/models.ts'
import { exportWords } from '../strings/reading.ts'
import { slashWords } from '../strings/slash.ts'
import { visibleText } from '../text/visible.ts'
import { requestBranch } from './branching.ts'
import { exportedName, exportedText, saveAs } from './export-conversation.ts'
import type { Suggestion } from './mentions.tsx'
import { matchingSkills } from './skill-command.ts'
import { argumentAt, hasExtraText, matchingCommands, type SlashCommandName, slashCommands, type TypedCommand } from './slash-commands.ts'

export interface SlashPorts {
  readonly conversation_id: string | null
  readonly running: string | null
  /** The names of the skills that can be used. */
  readonly skills: readonly string[]
  /** Whether the argument of /model is typed: only then the list of models is read. */
  readonly isChoosingModel: boolean
  setText(text: string): void
  /** Resolves to what is wrong with it, which is shown at its field. */
  setModel(name: string): Promise<object | null>
  /** Shown below the text until something is typed. */
  say(text: string): void
}

/** The key of the agent that a new conversation begins with. */
export const newAgentPlace = 'new:agent'

/** Why it is refused, false if it wrote what to complete, or nothing: then the text is cleared. */
type SlashAnswer = string | false | undefined | Promise<void>

export function useSlash(ports: SlashPorts) {
  const client = useRuntimeClient()
  const agents = useWindowState((state) => state.agents)
  const runs = useWindowState((state) => state.runs)
  const [offered, setOffered] = useState<readonly ListedModel[]>([])
  const { conversation_id, running, skills, isChoosingModel, setText, setModel, say } = ports
  useEffect(() => {
    if (!isChoosingModel) return
    let isGone = false
    void client.channel.call('model_catalog', {}).then((read) => {
      if (!isGone && read.ok) setOffered(read.value.models)
    })
    return () => {
      isGone = true
    }
  }, [client, isChoosingModel])

  const actions: Readonly<Record<SlashCommandName, (argument: string) => SlashAnswer>> = {
    help: () => void openShortcuts(),
    new: () => void goTo('/'),
    agent(name) {
      const found = [...(agents?.entries() ?? [])].find(
        ([, { agent }]) => agent.name.toLowerCase() === name.toLowerCase() && !agent.archived,
      )
      if (name === '') return complete('/agent ')
      if (!found) return slashWords.noAgent(name)
      keepChoice(newAgentPlace, found[0])
      goTo('/')
      dispatchEvent(new Event('tandem:new-agent'))
      return
    },
    model: (name) => (name === '' ? complete('/model ') : setTo(name)),
    skill(name) {
      if (skills.length === 0) return slashWords.noSkills
      if (name === '') return complete('/skill ')
      return skills.includes(name) ? complete(`/${name} `) : slashWords.noSkill(name)
    },
    todos: () => void goTo('/todos'),
    async compact() {
      const conversation = conversation_id === null ? undefined : client.store.get().conversations?.get(conversation_id)
      if (!conversation) return
      const { agent_id, conversation_id: id } = conversation
      say(slashWords.compacting)
      const done = await client.call(slashWords.doing.compact, 'memory_compact', { agent_id, conversation_id: id })
      const number = (value: number) => value.toLocaleString(locale)
      if (!done.ok) return say('')
      const { tokens_before: before, tokens_after: after } = done.value
      say(before === after ? slashWords.nothingToCompact : slashWords.compacted(number(before), number(after)))
    },
    undo() {
      const { journals, messages, conversations } = client.store.get()
      const last = [...(messages.get(conversation_id ?? '')?.values() ?? [])].findLast(
        ({ role, set_aside }) => role === 'user' && !set_aside,
      )
      const place = last && placeOf(journals, last.message_id)
      const segments = segmentsOf(conversations, conversation_id ?? '')
      const point = place && changedSince(journals, segments, place).find(({ run_id }) => run_id === place.run_id)
      return point ? void goTo(restoreAddress(point.run_id, point.checkpoint_id)) : slashWords.nothingToUndo
    },
    branch() {
      const { journals, messages } = client.store.get()
      const last = [...(messages.get(conversation_id ?? '')?.values() ?? [])].findLast(
        ({ message_id, set_aside }) => !set_aside && placeOf(journals, message_id) !== null,
      )
      return last ? void requestBranch({ kind: 'branch', message: last }) : slashWords.nothingToBranch
    },
    continue: () => (running === null ? slashWords.nothingToContinue : resume(running)),
    export(format) {
      if (format !== '' && format !== 'markdown' && format !== 'json') return slashWords.format(format)
      return save(format === '' ? 'markdown' : format)
    },
  }

  async function setTo(name: string): Promise<void> {
    const chosen = name === slashWords.defaultModel ? '' : name
    if ((await setModel(chosen)) !== null) return say('')
    const isOpen = running !== null
    say(isOpen ? slashWords.modelOfNextRun(chosen || null) : slashWords.model(chosen || null))
  }

  async function resume(run_id: string): Promise<void> {
    // A card shows a pause as soon as its step arrives, which may be before the window knows the run again.
    const answer = await client.channel.call('agent_run_get', { run_id })
    if (answer.ok && answer.value.run.state !== 'paused') return say(slashWords.nothingToContinue)
    await client.call(slashWords.doing.resume, 'resume_agent_run', { run_id })
  }

  async function save(as: 'markdown' | 'json'): Promise<void> {
    const { conversations } = client.store.get()
    const conversation = conversation_id === null ? undefined : conversations?.get(conversation_id)
    if (!conversation) return
    const answer = await readThreadMessages(client.channel, conversations, conversation.conversation_id)
    if (!answer.ok) return client.showError(exportWords.doing, answer.error)
    client.succeeded(exportWords.doing)
    saveAs(exportedName(conversation, as), exportedText(as, conversation, answer.value))
  }

  /** What the user completes. */
  function complete(text: string): false {
    setText(text)
    return false
  }

  /** What an argument can be, as far as the window knows. */
  function choicesFor(name: SlashCommandName): readonly string[] {
    if (name === 'agent') return [...(agents?.values() ?? [])].flatMap(({ agent }) => (agent.archived ? [] : [agent.name]))
    if (name === 'skill') return skills
    if (name === 'export') return ['markdown', 'json']
    if (name !== 'model') return []
    const known = [...[...runs.values()].map(({ model }) => model), ...[...(agents?.values() ?? [])].map(({ agent }) => agent.model)]
    return [slashWords.defaultModel, ...new Set(known.flatMap((one) => (one === null || one === 'none' ? [] : [one])))]
  }

  /** What the address offers, after the default and the models that were used. */
  function offeredModels(used: readonly { readonly name: string }[], typed: string): readonly Suggestion[] | null {
    const before = matchingSkills(used, typed).filter(({ name }) => !offered.some(({ id }) => id === name))
    const names = [...before.map(({ name }) => ({ id: name, detail: '' })), ...searchModels(offered, typed, 8).map(described)]
    // A name that is complete is not replaced by a longer one.
    if (names.length === 0 || names.some(({ id }) => id === typed)) return null
    return names.slice(0, 8).map(({ id, detail }) => ({
      ...{ value: `/model ${id}`, text: visibleText(id), runs: true },
      ...(detail === '' ? {} : { detail }),
    }))
  }

  return {
    /** Commands that match the name that is typed. */
    commands(typed: string): readonly Suggestion[] {
      return matchingCommands(typed, { isRunning: running !== null, hasConversation: conversation_id !== null }).map(
        ({ name, argument }) => ({
          value: argument === '' ? `/${name}` : `/${name} `,
          text: `/${name}${argument === '' ? '' : ` ${argument}`}`,
          detail: slashWords.summaries[name],
          runs: argument === '',
        }),
      )
    },
    /** Arguments that match what is typed after a command; null if none is typed. */
    arguments(text: string, caret: number): readonly Suggestion[] | null {
      const at = argumentAt(text, caret)
      if (!at) return null
      const all = choicesFor(at.name).map((name) => ({ name }))
      if (at.name === 'model' && offered.length > 0) return offeredModels(all, at.typed)
      const found = matchingSkills(all, at.typed).filter(({ name }) => name !== at.typed)
      return found.length === 0
        ? null
        : found.slice(0, 8).map(({ name }) => ({ value: `/${at.name} ${name}`, text: visibleText(name), runs: true }))
    },
    /** Why a command cannot be used now; null if it was carried out. */
    run(typed: TypedCommand): string | null {
      const { name, argument } = typed
      if (hasExtraText(typed)) return slashWords.takesNoText(name)
      const command = slashCommands.find((one) => one.name === name)
      if (command?.inConversation && conversation_id === null) return slashWords.needsConversation(name)
      if (command && !command.duringRun && running !== null) return slashWords.notNow(name)
      const answer = actions[name](argument)
      if (typeof answer === 'string') return answer
      if (answer !== false) setText('')
      return null
    },
  }
}

function described(model: ListedModel): { readonly id: string; readonly detail: string } {
  const price = model.billing === 'local' ? [modelWords.local] : model.price ? [modelWords.price(model.price)] : []
  return { id: model.id, detail: [...modelWords.facts(model), ...price].join(' · ') }
}
