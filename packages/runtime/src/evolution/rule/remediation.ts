// What the user did by hand because the run did not do what they wanted. Pure.
import { createHash } from 'node:crypto'
import type { ManualRemediationKind } from '@tandem/contract/learning'
import { ownSentences } from '../../memory/rule/extract/own-words.ts'
import { isCorrection } from '../../memory/rule/procedure/correction.ts'
import { type BehaviorCall, type BehaviorFacts, lineOf, type SaidMessage } from './behavior.ts'
import { callShapes, pathShape, readArguments, textsIn, withoutParameters } from './call-shape.ts'
import { type Concept, conceptsOf } from './concepts.ts'
import { isInstruction } from './constraint.ts'

export interface Remediation {
  readonly kind: ManualRemediationKind
  /** Names of tools and counts only: what tools, agents and files say is never repeated. */
  readonly summary: string
  readonly step_id: string | null
  /** What it points to: the same for the same, exactly. */
  readonly points_to: readonly string[]
  /** Instead, for what is said or written in other words each time. */
  readonly concepts: readonly Concept[]
  /** The person's own words. */
  readonly words: string | null
}

const most = 50

export function remediationsIn(facts: BehaviorFacts): readonly Remediation[] {
  const { calls, said, restores, edited_files, canceled_by, workspace } = facts
  return [
    ...calls.flatMap((call) => editedCall(call, workspace)),
    ...calls.filter(({ denied }) => denied).map((call) => deniedCall(call, workspace)),
    ...said.flatMap(correctionIn),
    ...restores.map((step_id) => restored(step_id, calls, workspace)),
    ...editedFiles(edited_files),
    ...(canceled_by === null ? [] : [canceled(canceled_by, calls, workspace)]),
  ].slice(0, most)
}

function pointing(kind: ManualRemediationKind, summary: string, step_id: string | null, points_to: readonly string[]): Remediation {
  return { kind, summary, step_id, points_to: [...points_to].toSorted(), concepts: [], words: null }
}

/** The words that were removed and added, without what differs each time. */
function editedCall({ tool, arguments: args, proposed, step_id }: BehaviorCall, workspace: string): readonly Remediation[] {
  if (proposed === null) return []
  const words = (json: string) =>
    new Set(withoutParameters(textsIn(readArguments(json)).join(' '), workspace).split(/\s+|(?<=\w)(?=[/?&])/))
  const [before, after] = [words(proposed), words(args)]
  const removed = [...before.difference(after)].slice(0, mostChanged).map((word) => `- ${word}`)
  const added = [...after.difference(before)].slice(0, mostChanged).map((word) => `+ ${word}`)
  // Another host is meant for every request that goes there.
  const shapes = [...removed, ...added].some((word) => isAddress.test(word))
    ? []
    : callShapes(tool, proposed, workspace).map(({ shape }) => shape)
  // What it became says more than what it was.
  const concepts = [...named(added.map(digestOf), 1), ...named(removed.map(digestOf), added.length > 0 ? 0.5 : 1), ...named(shapes, 0.5)]
  return [{ kind: 'edited_arguments', summary: `You changed the arguments of ${tool}.`, step_id, points_to: [], concepts, words: null }]
}

/** Of one edit; more is another text. */
const mostChanged = 20

function named(names: readonly string[], weight: number): readonly Concept[] {
  return [...new Set(names)].toSorted().map((name) => ({ name, weight }))
}

/** The words of arguments can be anything, also secrets. */
function digestOf(word: string): string {
  return createHash('sha256').update(word).digest('base64url').slice(0, 16)
}

const isAddress = /^[-+] ['"]?[a-z][a-z+.-]*:\/\//i
const deletes = /^(?:rm|rmdir|unlink|shred|trash|del)$/

/** What it would have done, and where: a deletion is one, whichever tool it uses. */
function deniedCall({ tool, arguments: args, step_id }: BehaviorCall, workspace: string): Remediation {
  const given = readArguments(args)
  const command = typeof given.command === 'string' ? given.command : null
  const shapes = callShapes(tool, args, workspace).map(({ shape }) => shape)
  const isDeletion = shapes.some((shape) => deletes.test(shape.split(' ')[1] ?? '')) || /\bdelete$|\bremove$/.test(tool)
  const places =
    command === null
      ? textsIn(given)
      : command
          .split(/\s+/)
          .slice(1)
          .filter((word) => !word.startsWith('-'))
  const folders = [
    ...new Set(places.filter((place) => /^[\w./~-]+$/.test(place)).map((place) => pathShape(place, workspace).replace(/\/\*.*$/, ''))),
  ]
  const pointed = isDeletion ? ['delete', ...folders.slice(0, 1)] : shapes
  return pointing('denied_call', `You denied a call of ${tool}.`, step_id, pointed)
}

const germanCorrection =
  /^(?:nein|falsch\p{L}*|stopp|halt|moment|doch nicht)(?!\p{L})|\bich (?:meinte|wollte|sagte|habe gesagt)\b|\bdas (?:ist|war|stimmt) (?:so )?(?:falsch|nicht)\b|\bnicht (?:das|die|der|was ich)\b|\bdu (?:hättest|hast)\b/iu
/** "8443, not 8080": one value instead of another. */
const otherValue = /\b(?:not|nicht|statt|instead of) [`"']?[\w.:/-]*\d|\d[\w.:/-]*[`"']?,? (?:not|nicht|statt)\b/iu

/** "No tabs, please" asks for something; "No, that one" corrects. */
const wish = /^(?:no|kein\p{L}*)\s+\p{L}/iu

/** It says that what the agent did or said before was wrong. */
export function corrects({ text, starts, follows_agent, about }: SaidMessage): boolean {
  // The restore itself is what was done about it.
  if (!follows_agent || about === 'restored') return false
  if (about === 'redone') return true
  const sentences = ownSentences(text).map((sentence) => sentence.text.trim())
  const [first = ''] = sentences
  if (wish.test(first)) return false
  if (!starts && sentences.length <= 2 && isFact(sentences.join(' '))) return true
  return isCorrection(text) || germanCorrection.test(first) || (!starts && sentences.some((one) => otherValue.test(one)))
}

const fact =
  /\b(?:is|are|was|were|begins?|starts?|ends?|belongs?|means?|counts?|remember|ist|sind|war|beginnt|fängt|endet|gehört|heißt|bedeutet|liegt|zählt|gilt)\b/iu
const reaction =
  /^(?:thanks?|thank you|danke|great|perfect|good|fine|nice|super|prima|passt|gut|okay|ok|yes|yep|ja|sure|that is (?:good|fine|right)|das ist (?:gut|richtig))\b/iu

/** The agent said or did something, and the person tells what it did not know. */
function isFact(sentence: string): boolean {
  return !sentence.endsWith('?') && !reaction.test(sentence) && fact.test(sentence) && !isInstruction(sentence)
}

/** A message during a run, or one that answers what the agent did before. */
function correctionIn(message: SaidMessage): readonly Remediation[] {
  if (!corrects(message)) return []
  const { text, step_id } = message
  const words = lineOf(
    ownSentences(text)
      .map((sentence) => sentence.text.trim())
      .join(' '),
  )
  return [{ kind: 'corrected_agent', summary: 'You corrected the agent.', step_id, points_to: [], concepts: conceptsOf(words), words }]
}

const mostUndone = 3

/** The last calls that it undid and that did more than look: one of them is the reason. */
function restored(step_id: string, calls: readonly BehaviorCall[], workspace: string): Remediation {
  const undone = calls.filter((call) => call.undone_by === step_id && isEffectful(call, workspace))
  const shapes = undone
    .slice(-mostUndone)
    .flatMap(({ tool, arguments: args }) => callShapes(tool, args, workspace).map(({ shape }) => shape))
  const last = undone.at(-1)
  const summary = last ? `You restored files after ${last.tool}.` : 'You restored files.'
  return { kind: 'restored_checkpoint', summary, step_id, points_to: [], concepts: named(shapes, 1), words: null }
}

function canceled(step_id: string, calls: readonly BehaviorCall[], workspace: string): Remediation {
  const last = calls.at(-1)
  const shapes = last ? stoppedShapes(last, workspace) : []
  return pointing('canceled_run', last ? `You canceled the run after ${last.tool}.` : 'You canceled the run.', step_id, shapes)
}

/** A search outside the workspace is one, whichever program and options it has. */
function stoppedShapes({ tool, arguments: args }: BehaviorCall, workspace: string): readonly string[] {
  const shapes = callShapes(tool, args, workspace)
  const { command, path } = readArguments(args)
  const places = [...(typeof command === 'string' ? command.split(/\s+/).slice(1) : []), ...(typeof path === 'string' ? [path] : [])]
  const outside = places.filter((place) => /^[/~]/.test(place) && !place.startsWith('/dev/') && !place.startsWith(workspace))
  if (outside.length > 0 && shapes.every(({ effectful }) => !effectful)) {
    return ['look outside', ...new Set(outside.map((place) => pathShape(place, workspace).replace(/\/\*.*$/, '')))]
  }
  return shapes.map(({ shape }) => shape.replace(/ --?[A-Za-z].*$/, ''))
}

function isEffectful({ tool, arguments: args }: BehaviorCall, workspace: string): boolean {
  return callShapes(tool, args, workspace).some(({ effectful }) => effectful)
}

/** Compared by what was added, whatever the file is. */
function editedFiles(files: readonly EditedFileFacts[]): readonly Remediation[] {
  if (files.length === 0) return []
  const added = files
    .flatMap((file) => file.added)
    .join('\n')
    .slice(0, 2_000)
  const summary = `You edited ${files.length === 1 ? 'a file' : `${files.length} files`} by hand that the agent had written.`
  return [{ kind: 'edited_file', summary, step_id: null, points_to: [], concepts: conceptsOf(added), words: null }]
}

type EditedFileFacts = BehaviorFacts['edited_files'][number]

/** Whether it is about the same thing as others can be. */
export function isPointing({ points_to, concepts }: Remediation): boolean {
  return points_to.length > 0 || concepts.length > 0
}
