// Started first, and plain JavaScript, so that everything after it comes compiled from the cache.
import { enableCompileCache } from 'node:module'

enableCompileCache()
await import('./text-thread-main.ts')
