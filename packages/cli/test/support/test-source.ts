import type { DocumentRow, KnowledgeSource } from '@tandem/contract/knowledge'

export function testSource(fields: Partial<KnowledgeSource> = {}): KnowledgeSource {
  return {
    ...{ source_id: '01a00000-0000-7000-8000-000000000001', name: 'docs', origin: { kind: 'folder', path: '/docs' } },
    ...{ owner: { kind: 'everyone' }, added_by: null, watch: true, state: 'ready', progress: null, problem: null },
    ...{ files: 2, left_out: 0, passages: 3, bytes: 2_048, added_at: '2026-11-01T10:00:00.000Z', checked_at: null },
    ...fields,
  }
}

export function testFile(name: string, fields: Partial<DocumentRow> = {}): DocumentRow {
  return {
    ...{ document_id: name, name, path: `/docs/${name}`, format: null, bytes: 10, passages: 0, problem: null, detail: null },
    ...fields,
  }
}
