export function Logo({ size = 22 }: { size?: number }) {
  return <img src="/assets/quarry.svg" alt="" width={size} height={size} />;
}
