// The knowledge base: documents that agents can search, where they come from, and how an answer names its source.
export * from './citation.ts'
export * from './format.ts'
export type {
  DocumentPosition,
  DocumentRow,
  KnowledgeHit,
  KnowledgeOrigin,
  KnowledgeOwner,
  KnowledgePassage,
  KnowledgeProgress,
  KnowledgeSource,
} from './schema.ts'
export * from './state.ts'
