// The window: its places, or the map of Tandem, by the address.
import { lazy, Suspense } from 'react'
import { useAddress } from './address.ts'
import { DeskContext } from './desk/use-desk.ts'
import { windowDesk } from './desk/window-desk.ts'
import { Shell } from './shell/shell.tsx'
import { words } from './strings/window.ts'

const TandemMap = lazy(async () => ({ default: (await import('./map/map.tsx')).TandemMap }))

export function App() {
  const path = useAddress()
  if (path === '/map' || path.startsWith('/map/')) {
    return (
      <Suspense fallback={<p className="p-8 text-faint">{words.loading}</p>}>
        <TandemMap />
      </Suspense>
    )
  }
  return (
    <DeskContext value={windowDesk()}>
      <Shell />
    </DeskContext>
  )
}
