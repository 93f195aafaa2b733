// The knowledge base: adding sources, watching them being read, searching them, and opening what a citation names.
import Type from 'typebox'
import { documentFormats } from '../knowledge/format.ts'
import { DocumentRow, KnowledgeHit, KnowledgeOwner, KnowledgePassage, KnowledgeSource } from '../knowledge/schema.ts'
import { Flag, Id, Key, Line, listOf, nullable, object, oneOf, pageOf, Timestamp } from '../shape.ts'
import { type Command, listParams } from './command.ts'
import type { CommandNameIn } from './index.ts'

const one = object({ source_id: Id })
const Path = Type.String({ minLength: 1, maxLength: 4_096 })
const patterns = listOf(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 100 })

/** What to add. Exactly one of `path`, `url` and `text`. */
const added = {
  path: Type.Optional(Path),
  url: Type.Optional(Type.String({ minLength: 1, maxLength: 8_000 })),
  text: Type.Optional(Type.String({ minLength: 1, maxLength: 4 * 1_024 * 1_024 })),
  name: Type.Optional(Line),
  include: Type.Optional(patterns),
  exclude: Type.Optional(patterns),
  watch: Type.Optional(Flag),
  owner: KnowledgeOwner,
}

export const knowledgeCommands = {
  kb_add: {
    summary: 'Add a file, a folder, a web page or a text to the knowledge base. Reading it continues in the background.',
    params: object(added),
    result: object({ source: KnowledgeSource }),
  },
  kb_list: {
    summary: 'List the sources of the knowledge base with their state and progress.',
    params: listParams({ agent_id: Type.Optional(Key), workspace: Type.Optional(Path) }),
    result: pageOf(KnowledgeSource),
  },
  kb_get: { summary: 'Show a source of the knowledge base.', params: one, result: object({ source: KnowledgeSource }) },
  kb_list_files: {
    summary: 'List the files of a source, with the reason for each one that cannot be searched.',
    params: listParams({ source_id: Id, only_problems: Type.Optional(Flag) }),
    result: pageOf(DocumentRow),
  },
  kb_update: {
    summary: 'Rename a source, share it, or change which files it includes.',
    params: object({
      source_id: Id,
      name: Type.Optional(Line),
      owner: Type.Optional(KnowledgeOwner),
      include: Type.Optional(patterns),
      exclude: Type.Optional(patterns),
      watch: Type.Optional(Flag),
    }),
    result: object({ source: KnowledgeSource }),
  },
  kb_reindex: {
    summary: 'Compare a source, or all sources, with their files, and read what has changed.',
    params: object({ source_id: Type.Optional(Id) }),
    result: object({ sources: listOf(KnowledgeSource) }),
  },
  kb_cancel: {
    summary: 'Stop reading a source. What was read until then can be found.',
    params: one,
    result: object({ source: KnowledgeSource }),
  },
  kb_remove: {
    summary: 'Remove a source and everything that was read from it. Its files are not touched.',
    params: one,
    result: object({ removed: KnowledgeSource }),
  },
  kb_search: {
    summary: 'Search the knowledge base by words and by meaning.',
    params: object({
      query: Type.String({ minLength: 1, maxLength: 4_096 }),
      agent_id: Type.Optional(Type.String({ ...Key, description: 'Only what this agent can find' })),
      conversation_id: Type.Optional(Type.String({ ...Id, description: 'In the folder of this conversation' })),
      source_ids: Type.Optional(listOf(Id, { maxItems: 100 })),
      formats: Type.Optional(listOf(oneOf(documentFormats))),
      changed_after: Type.Optional(Timestamp),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10 })),
      max_tokens: Type.Optional(Type.Integer({ minimum: 100, maximum: 100_000, description: 'As many of the best passages as fit' })),
    }),
    result: object({
      hits: listOf(KnowledgeHit),
      /** Whether meanings were compared, or why not. */
      semantic: oneOf(['used', 'off', 'not_warm', 'no_vectors', 'failed', 'not_asked']),
      late: Type.Boolean({ description: 'The search took too long, so some results may be missing' }),
    }),
  },
  kb_passage: {
    summary: 'Show a passage as it is now, with the text around it.',
    params: object({
      passage_id: Key,
      run_id: Type.Optional(
        Type.String({
          ...Id,
          description: 'The run that found it: if its text has been divided differently since then, it is recognized by its lines',
        }),
      ),
    }),
    result: object({ passage: KnowledgePassage }),
  },
  kb_passages_of_run: {
    summary: 'List the passages that searches of a run returned: only these can be cited.',
    params: object({ run_id: Id }),
    result: object({
      passages: listOf(
        object({ citation: Type.String(), passage_id: Key, name: Type.String(), source_id: Id, found_at: nullable(Timestamp) }),
      ),
    }),
  },
} satisfies Record<CommandNameIn<'knowledge'>, Command>
