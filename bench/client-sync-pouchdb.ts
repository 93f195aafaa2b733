// The peer of the first sync: a PouchDB that replicates the same documents from pouchdb-server into memory.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { installPeer } from './peer.ts'

export interface Replicated {
  readonly milliseconds: number
  readonly megabytes: number
}

const program = `
const PouchDB = require('pouchdb-core').plugin(require('pouchdb-adapter-http')).plugin(require('pouchdb-adapter-memory')).plugin(require('pouchdb-replication'))
const local = new PouchDB('local', { adapter: 'memory' })
const before = process.memoryUsage().rss
const started = performance.now()
PouchDB.replicate(process.argv[1], local, { batch_size: 1000 }).then(async () => {
  const { doc_count } = await local.info()
  console.log(JSON.stringify({ milliseconds: performance.now() - started, megabytes: (process.resourceUsage().maxRSS * 1024 - before) / 2 ** 20, doc_count }))
  process.exit(0)
})`

export async function replicate(url: string, expected: number): Promise<Replicated> {
  const version = '7.3.1'
  const parts = ['pouchdb-core', 'pouchdb-adapter-http', 'pouchdb-adapter-memory', 'pouchdb-replication']
  const peer = installPeer(Object.fromEntries(parts.map((part) => [part, version])))
  try {
    const child = spawn(process.execPath, ['-e', program, url], { cwd: peer.folder, stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk
    })
    await once(child, 'close')
    const { doc_count, ...measured } = JSON.parse(said) as Replicated & { doc_count: number }
    if (doc_count !== expected) throw new Error(`PouchDB has ${doc_count} documents, not ${expected}`)
    return measured
  } finally {
    peer.remove()
  }
}
