import { useCommand } from './use-request.ts'

/** The name of another device, if the cloud knows it. */
export function useDeviceName(device_id: string): string | null {
  const { state: asked } = useCommand('device_list', { limit: 200 })
  const device = asked.state === 'ready' ? asked.value.items.find((one) => one.device_id === device_id) : undefined
  return device?.name ?? null
}
