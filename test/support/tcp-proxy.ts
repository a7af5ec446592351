import net from "node:net";

/** A way to a server that can be cut: black-holed, so that nothing arrives and nobody is told. */
export interface TcpProxy {
  url: string;
  /** Nothing passes any more, in either direction; connections stay open. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<net.Socket>();
  let isCut = false;
  const pass = (from: net.Socket, to: net.Socket): void => {
    sockets.add(from);
    from.on("data", (data) => {
      if (!isCut) to.write(data);
    });
    from.on("close", () => {
      sockets.delete(from);
      to.destroy();
    });
    from.on("error", () => {});
  };
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(port), hostname);
    pass(client, upstream);
    pass(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `nats://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    cut: () => void (isCut = true),
    mend: () => void (isCut = false),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
