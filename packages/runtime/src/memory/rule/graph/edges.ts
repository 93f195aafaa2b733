// The edges that the words of one memory state. Pure.
import type { Memory, RelationshipEdgeKind } from '@tandem/contract/memory'
import { aliasesIn } from './aliases.ts'
import { type KnownEntity, type MentionedEntity, mergeKnown } from './entities.ts'
import { type EntityLookup, entityLookup } from './entity-lookup.ts'
import { contactWords, denials, deontics, edgeEnds, laterDenials, rhythms, verbFrames } from './frames.ts'
import { type NewEdge, pathOf } from './infer.ts'
import { type Mention, mentionsIn, userName } from './mentions.ts'
import { foldName } from './names.ts'
import { type Sentence, sentencesOf } from './sentences.ts'

export type { NewEdge } from './infer.ts'

export interface StoredEntity extends KnownEntity {
  readonly id: string
}

const kindsWithEdges: readonly Memory['memory_kind'][] = ['relationship', 'preference', 'decision', 'procedural']

/** Whether the graph may contain what this memory says: it holds, and it can be trusted. */
function feedsGraph({ state, authority, memory_kind }: Memory): boolean {
  return state === 'active' && authority !== 'untrusted' && kindsWithEdges.includes(memory_kind)
}

/** What a memory mentions; a preference that names none is one itself. */
export function mentionsOf(memory: Memory): readonly Mention[] {
  const mentions = mentionsIn(memory.content)
  if (memory.memory_kind !== 'preference' || mentions.some(({ entity_kind }) => entity_kind === 'preference')) return mentions
  const name = memory.content
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[.!]+$/, '')
    .slice(0, 120)
  const whole: Mention = { name, entity_kind: 'preference', start: 0, end: memory.content.length, ontology_domain: 'style' }
  return name === '' ? mentions : [whole, ...mentions]
}

/** The entities that a memory mentions, each once, with how often and with the other names that its words give. */
export function entitiesOf(memory: Memory): readonly MentionedEntity[] {
  if (!feedsGraph(memory)) return []
  const pairs = aliasesIn(memory.content)
  const found = new Map<string, MentionedEntity>()
  const add = ({ name, entity_kind, ontology_domain }: Pick<Mention, 'name' | 'entity_kind' | 'ontology_domain'>, count: number) => {
    const full = entity_kind === 'stakeholder' ? (pairs.find(({ alias }) => foldName(alias) === foldName(name))?.name ?? name) : name
    const key = `${entity_kind}\n${foldName(full)}`
    const known = found.get(key)
    const aliases =
      entity_kind === 'stakeholder' ? pairs.filter((pair) => foldName(pair.name) === foldName(full)).map(({ alias }) => alias) : []
    const mention_count = (known?.mention_count ?? 0) + count
    found.set(key, known ? { ...known, mention_count } : { canonical_name: full, aliases, entity_kind, ontology_domain, mention_count })
  }
  for (const mention of mentionsOf(memory)) add(mention, 1)
  const named = memory.subject.startsWith('entity:') ? memory.subject.slice('entity:'.length) : memory.subject === 'user' ? userName : null
  if (named !== null && !isId(named)) add({ name: named, entity_kind: 'stakeholder', ontology_domain: 'person' }, 0)
  return mergeKnown([...found.values()])
}

function isId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

/** A mention and the stored entity that it means. */
interface Resolved extends Mention {
  readonly id: string
}

/** Edges between `entities`, the stored entities of the memory's conversation. A mention that none of them surely is gives no edge. */
export function edgesFrom(memory: Memory, entities: readonly StoredEntity[]): readonly NewEdge[] {
  if (!feedsGraph(memory)) return []
  const subject = subjectOf(memory, entities)
  const resolved = resolvedMentions(memory, entities)
  const edges = new Map<string, NewEdge>()
  const add: AddEdge = (edge_kind, from, to, roles, sentence) => {
    const ends = edgeEnds[edge_kind]
    if (from.id === to.id || !includes(ends.subject, from.entity_kind) || !includes(ends.object, to.entity_kind)) return
    const key = `${edge_kind} ${from.id} ${to.id}`
    if (!edges.has(key)) edges.set(key, newEdge(memory, edge_kind, from, to, roles, sentence.text))
  }
  let carried = subject
  for (const sentence of sentencesOf(memory.content)) {
    const here = resolved.filter(({ start }) => start >= sentence.start && start < sentence.end)
    const context: Context = { memory, sentence, here, carried, subject }
    contactEdges(context, add)
    verbEdges(context, add)
    ruleEdges(context, add)
    shapeEdges(context, add)
    const others = here.filter(({ entity_kind, name }) => entity_kind === 'stakeholder' && name !== userName)
    carried = others.findLast(({ ontology_domain }) => ontology_domain !== 'organization') ?? carried ?? others.at(-1)
  }
  workflowEdges(memory, resolved, add)
  return [...edges.values()]
}

interface Context {
  readonly memory: Memory
  readonly sentence: Sentence
  readonly here: readonly Resolved[]
  /** Whom a pronoun means: the person named last. */
  readonly carried: Resolved | undefined
  readonly subject: Resolved | undefined
}

type Roles = readonly [subject: string, object: string]
type AddEdge = (edge_kind: RelationshipEdgeKind, from: Resolved, to: Resolved, roles: Roles, sentence: Sentence) => void

/** Someone, or a workflow, and a channel that the sentence does not deny. */
function contactEdges({ sentence, here, carried }: Context, add: AddEdge): void {
  if (!contactWords.test(sentence.text)) return
  for (const channel of here.filter(({ entity_kind }) => entity_kind === 'channel')) {
    if (isDenied(sentence, channel)) continue
    const person = nearestPerson(sentence, here, channel.start, carried)
    const workflow = here.findLast(({ entity_kind, start }) => entity_kind === 'workflow' && start < channel.start)
    if (person && person.name !== userName) add('expects_update_via', person, channel, ['recipient', 'channel'], sentence)
    else if (workflow) add('expects_update_via', workflow, channel, ['source of updates', 'channel'], sentence)
    else if (person && /\b(?:me|my)\b/i.test(sentence.text)) add('expects_update_via', person, channel, ['recipient', 'channel'], sentence)
  }
}

function verbEdges({ sentence, here, carried }: Context, add: AddEdge): void {
  const taken = new Set<Resolved>()
  for (const { edge_kind, verbs, subject_role, object_role } of verbFrames) {
    for (const { 0: verb, index } of sentence.text.matchAll(verbs)) {
      const [start, end] = [sentence.start + index, sentence.start + index + verb.length]
      const clause = clauseEnd(sentence, end)
      const object = here.find(
        (one) => includes(edgeEnds[edge_kind].object, one.entity_kind) && one.start >= end && one.start < clause && !taken.has(one),
      )
      const person = personBefore(sentence, here, start, carried)
      if (!object || !person || isDenied(sentence, { ...object, start: end })) continue
      taken.add(object)
      add(edge_kind, person, object, [subject_role, object_role], sentence)
    }
  }
}

/** "Nothing that touches X happens without Ana's ok", "any change to X has to pass her"; and a constraint with a thing it protects. */
function ruleEdges({ sentence, here, carried }: Context, add: AddEdge): void {
  const resources = here.filter(({ entity_kind }) => entity_kind === 'resource')
  const approval =
    /\bwithout ((?:[\p{L}.]+ ){0,2}?)[\p{L}.]+(?:['’]s)? (?:ok|okay|approval|consent|sign-off|permission)\b|\b(?:has to|have to|must) (?:pass|go through|go past) /iu.exec(
      sentence.text,
    )
  if (approval) {
    const from = sentence.start + approval.index
    const person =
      here.find(({ entity_kind, start }) => entity_kind === 'stakeholder' && start >= from) ??
      (pronoun.test(sentence.text.slice(approval.index)) ? carried : undefined)
    for (const resource of resources)
      if (person && resource.start < from) add('protects', person, resource, ['approver', 'approved'], sentence)
  }
  if (!deontics.test(sentence.text)) return
  for (const constraint of here.filter(({ entity_kind }) => entity_kind === 'constraint')) {
    for (const resource of resources) add('protects', constraint, resource, ['rule', 'protected'], sentence)
  }
}

/** A preference or a limit, and whom or what it applies to. */
function shapeEdges({ memory, sentence, here, carried, subject }: Context, add: AddEdge): void {
  const shapes = here.filter(({ entity_kind }) => entity_kind === 'preference' || entity_kind === 'constraint')
  const workflow = here.find(({ entity_kind }) => entity_kind === 'workflow')
  for (const shape of shapes) {
    const person = personBefore(sentence, here, shape.start, carried)
    const isRule = shape.entity_kind === 'constraint'
    const roles: Roles = [isRule ? 'limit' : 'preference', 'recipient']
    if (workflow && (isRule || workflow.start < shape.start || !person))
      add('shapes_output_for', shape, workflow, [roles[0], 'shaped work'], sentence)
    else if (person && (person.name !== userName || memory.memory_kind === 'preference'))
      add('shapes_output_for', shape, person, roles, sentence)
    else if (memory.memory_kind === 'preference' && subject) add('shapes_output_for', shape, subject, roles, sentence)
  }
}

/** The things that a procedure uses belong to the workflow that it describes: the first that it names. */
function workflowEdges(memory: Memory, resolved: readonly Resolved[], add: AddEdge): void {
  const workflow = resolved.find(({ entity_kind }) => entity_kind === 'workflow')
  if (memory.memory_kind !== 'procedural' || !workflow) return
  for (const sentence of sentencesOf(memory.content)) {
    for (const resource of resolved) {
      const isHere = resource.start >= sentence.start && resource.start < sentence.end
      if (isHere && resource.entity_kind === 'resource' && !isDenied(sentence, resource))
        add('operates_on', workflow, resource, ['workflow', 'used'], sentence)
    }
  }
}

const pronoun = /\b(?:he|she|they|him|her|them|his|their)\b/i

/** The person before a verb; an organisation only if there is none, because it is mostly where someone works. */
function personBefore(sentence: Sentence, here: readonly Resolved[], before: number, carried: Resolved | undefined): Resolved | undefined {
  const named = here.filter(({ entity_kind, start }) => entity_kind === 'stakeholder' && start < before)
  const person = named.findLast(({ ontology_domain }) => ontology_domain !== 'organization')
  const gap = sentence.text.slice((person?.end ?? sentence.start) - sentence.start, before - sentence.start)
  if (person && (person.name !== userName || !pronoun.test(gap))) return person
  if (pronoun.test(gap) || (named.length === 0 && /^\W*$/.test(gap))) return carried
  return named.at(-1)
}

/** The person before `place` in the sentence, else one after it; a pronoun means the person of an earlier sentence. */
function nearestPerson(sentence: Sentence, here: readonly Resolved[], place: number, carried: Resolved | undefined): Resolved | undefined {
  const people = here.filter(({ entity_kind, ontology_domain }) => entity_kind === 'stakeholder' && ontology_domain !== 'organization')
  const others = people.filter(({ name }) => name !== userName)
  const named = others.findLast(({ start }) => start < place) ?? others.find(({ start }) => start > place)
  return named ?? (pronoun.test(sentence.text) ? carried : undefined) ?? people[0]
}

function isDenied(sentence: Sentence, { start, end }: { readonly start: number; readonly end: number }): boolean {
  const before = sentence.text.slice(0, start - sentence.start)
  const clause = before.slice(
    Math.max(0, ...[...before.matchAll(/[,;:(]|\b(?:but|and|only|except)\b/gi)].map(({ 0: sign, index }) => index + sign.length)),
  )
  return denials.test(clause) || laterDenials.test(sentence.text.slice(end - sentence.start))
}

function clauseEnd(sentence: Sentence, from: number): number {
  const next = /[,;:(]|\b(?:but|because|since|so|when|if|unless)\b/i.exec(sentence.text.slice(from - sentence.start))
  return next ? from + next.index : sentence.end
}

function subjectOf(memory: Memory, entities: readonly StoredEntity[]): Resolved | undefined {
  const named = memory.subject.startsWith('entity:') ? memory.subject.slice('entity:'.length) : memory.subject === 'user' ? userName : null
  if (named === null) return undefined
  const { lookup, byId } = indexed(entities)
  const entity = byId.get(named) ?? lookup.find({ canonical_name: named, aliases: [], entity_kind: 'stakeholder' })?.entity
  if (!entity) return undefined
  const { id, entity_kind, ontology_domain = 'person' } = entity
  return { id, entity_kind, ontology_domain, name: named === userName ? userName : entity.canonical_name, start: -1, end: -1 }
}

/** The mentions of the rules, and every known name that occurs in the text. */
function resolvedMentions(memory: Memory, entities: readonly StoredEntity[]): readonly Resolved[] {
  const { lookup, byFirstWord } = indexed(entities)
  const mentioned = mentionsOf(memory).flatMap((mention) => {
    const { name: canonical_name, entity_kind, ontology_domain } = mention
    const found = lookup.find({ canonical_name, aliases: [], entity_kind, ontology_domain })
    return found ? [{ ...mention, id: found.entity.id }] : []
  })
  const words = new Set(['', ...(memory.content.match(/[\p{L}\p{N}]+/gu) ?? [])])
  const known = [...words].flatMap((word) => byFirstWord.get(word) ?? []).flatMap((named) => occurrences(memory.content, named))
  const extra = known.filter(
    (one) => !mentioned.some((other) => other.entity_kind === one.entity_kind && one.start < other.end && other.start < one.end),
  )
  return [...mentioned, ...longest(extra)].sort(
    (left, right) => left.start - right.start || left.end - right.end || (left.id < right.id ? -1 : 1),
  )
}

/** One name of an entity. */
interface NamedEntity {
  readonly name: string
  readonly entity: StoredEntity
}

interface EntityIndex {
  readonly lookup: EntityLookup<StoredEntity>
  readonly byId: ReadonlyMap<string, StoredEntity>
  /** A name occurs only in a text that has its first word. Names that begin with a sign are under the empty word. */
  readonly byFirstWord: ReadonlyMap<string, readonly NamedEntity[]>
}

const indexes = new WeakMap<readonly StoredEntity[], EntityIndex>()

/** The edges of all memories of a conversation are found with one list of entities. */
function indexed(entities: readonly StoredEntity[]): EntityIndex {
  const known = indexes.get(entities)
  if (known) return known
  const names = entities
    .filter(({ canonical_name }) => canonical_name !== userName)
    .flatMap((entity) => [entity.canonical_name, ...entity.aliases].map((name) => ({ name, entity })))
  const index: EntityIndex = {
    lookup: entityLookup(entities),
    byId: new Map(entities.map((entity) => [entity.id, entity])),
    byFirstWord: Map.groupBy(names, ({ name }) => /^[\p{L}\p{N}]+/u.exec(name)?.[0] ?? ''),
  }
  indexes.set(entities, index)
  return index
}

function occurrences(content: string, { name, entity }: NamedEntity): Resolved[] {
  const { id, canonical_name, entity_kind, ontology_domain = entity_kind } = entity
  const found: Resolved[] = []
  for (let start = content.indexOf(name); start !== -1; start = content.indexOf(name, start + name.length)) {
    const end = start + name.length
    const isWhole = !/[\p{L}\p{N}]/u.test(content.charAt(start - 1)) && !/[\p{L}\p{N}]/u.test(content.charAt(end))
    if (isWhole) found.push({ id, name: canonical_name, entity_kind, ontology_domain, start, end })
  }
  return found
}

/** A name that two entities have says nothing; of overlapping names the longest counts. */
function longest(found: readonly Resolved[]): readonly Resolved[] {
  return found.filter(
    (one) =>
      !found.some(
        (other) => other.id !== one.id && other.entity_kind === one.entity_kind && other.start <= one.start && other.end >= one.end,
      ),
  )
}

function newEdge(memory: Memory, edge_kind: RelationshipEdgeKind, from: Resolved, to: Resolved, roles: Roles, text: string): NewEdge {
  const isObserved = memory.authority !== 'person' || memory.procedure !== null
  return {
    conversation_id: memory.conversation_id,
    edge_kind,
    subject_entity_id: from.id,
    object_entity_id: to.id,
    via_entity_ids: [],
    ontology_tags: [...new Set([memory.memory_kind, from.ontology_domain, to.ontology_domain])].sort(),
    edge_weight: (memory.confirmed_by_user ? 1 : Math.max(0.01, memory.confidence)) * (isObserved ? 0.6 : 1),
    relation_source: isObserved ? 'observed' : 'stated',
    subject_role: roles[0],
    object_role: roles[1],
    ontology_path: pathOf(from.entity_kind, edge_kind, to.entity_kind),
    interaction_pattern: rhythms.exec(text)?.[0] ?? null,
    memory_ids: [memory.id],
  }
}

function includes<Item extends string>(list: readonly Item[], item: string): boolean {
  return list.some((one) => one === item)
}
