import { RuntimeClientContext } from './client/use-client.ts'
import { windowClient } from './client/window-client.ts'
import { Shell } from './shell/shell.tsx'

export function App() {
  return (
    <RuntimeClientContext value={windowClient()}>
      <Shell />
    </RuntimeClientContext>
  )
}
