// A knowledge base without a thread: files of a folder are read and parsed in this process.
import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KnowledgeIndex } from '../../../src/kb/index/knowledge-index.ts'
import { readTextDocument } from '../../../src/kb/parse/read-document.ts'

export function newFolder(name: string): string {
  return realpathSync(mkdtempSync(join(tmpdir(), `kb-${name}-`)))
}

export function folderSource(root: string, source_id = 'source', options: { include?: string[]; exclude?: string[] } = {}) {
  const { include = [], exclude = [] } = options
  return { source_id, kind: 'folder', root, home: join(root, '.none'), include, exclude, secret_paths: [], access: null } as const
}

export class TestKnowledge {
  readonly folder: string
  readonly file: string
  index: KnowledgeIndex
  /** Files that were parsed. */
  parsed = 0
  now = Date.now() + 60_000

  constructor(folder = newFolder('base')) {
    this.folder = folder
    this.file = join(folder, 'kb.db')
    this.index = new KnowledgeIndex(this.file)
  }

  async read(source: Parameters<KnowledgeIndex['compare']>[0], asked = true) {
    const compared = this.index.compare(source, { asked })
    for (;;) {
      const files = this.index.next(source.source_id, { files: 50, bytes: 1_000_000 }, this.now)
      if (files.length === 0) return compared
      this.parsed += files.length
      const done = []
      for (const { bytes, ...file } of files) done.push({ ...file, result: await readTextDocument(file.name, bytes) })
      this.index.put(source.source_id, done)
    }
  }

  /** Everything that a user can notice, in an order that does not depend on how it came about. */
  content(source_id = 'source') {
    const rows = this.index.files(source_id, null, 1_000_000, false)
    return rows.map((row) => ({ ...row, passages: row.passages })).sort((left, right) => (left.name < right.name ? -1 : 1))
  }

  find(query: string, sources: readonly string[] = ['source'], k = 10) {
    return this.index.find({ query, sources, k }, null).hits
  }

  reopen(): void {
    this.index = new KnowledgeIndex(this.file)
  }
}
