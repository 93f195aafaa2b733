// Runs in a separate process, started by guarding.ts.
import { enableCompileCache } from 'node:module'
import type { Guard } from './network-guard.ts'
import type { GuardCommand, GuardEvent } from './network-guard-client.ts'

// Before the library is loaded: loading it takes most of the time that the first command waits.
enableCompileCache()

const say = (message: GuardEvent) => process.send?.(message)
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

async function answer(guard: Guard, message: GuardCommand): Promise<void> {
  switch (message.ask) {
    case 'admit': {
      const { id } = message.request
      try {
        say({ say: 'admitted', id, access: await guard.admit(message.request) })
      } catch (error) {
        say({ say: 'failed', id, reason: reasonOf(error) })
      }
      return
    }
    case 'wrap': {
      const { id } = message.request
      try {
        say({ say: 'wrapped', id, argv: await guard.wrap(message.request) })
      } catch (error) {
        say({ say: 'failed', id, reason: reasonOf(error) })
      }
      return
    }
    case 'release':
      guard.release(message.id)
      return
    case 'stop':
      process.disconnect?.()
  }
}

try {
  const { startGuard } = await import('./network-guard.ts')
  const guard = await startGuard(process.argv[2] === 'public' ? 'public' : 'refuse', (id, line) => say({ say: 'refused', id, line }))
  process.on('message', (message: GuardCommand) => void answer(guard, message))
  const end = () => void guard.stop().finally(() => process.exit())
  // On request, or because the runtime is gone: in both cases there is nothing left to guard.
  process.on('disconnect', end)
  // Ctrl-C is sent to the whole process group, but the runtime decides when its commands end. The library would stop too early.
  process.removeAllListeners('SIGINT').on('SIGINT', () => undefined)
  process.removeAllListeners('SIGTERM').on('SIGTERM', end)
  say({ say: 'ready' })
} catch (error) {
  say({ say: 'broken', reason: reasonOf(error) })
  process.exitCode = 1
  process.disconnect?.()
}
