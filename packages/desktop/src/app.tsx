import { RuntimeClientContext } from './desk/use-desk.ts'
import { windowClient } from './desk/window-desk.ts'
import { Shell } from './shell/shell.tsx'

export function App() {
  return (
    <RuntimeClientContext value={windowClient()}>
      <Shell />
    </RuntimeClientContext>
  )
}
