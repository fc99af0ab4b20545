import ctypes, glob, json, os, signal, subprocess, sys, time, urllib.request

CUFF = os.environ['CUFF']
MARK = 'scripts.script_mark'
YES = {'action': 'accept', 'content': {'yes': True}}
NEWEST = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': {'name': 't', 'version': '1'},
    'io.modelcontextprotocol/clientCapabilities': {'elicitation': {}},
}


def bare():
    """The environment without the mark of a run."""
    return {name: value for name, value in os.environ.items() if name != 'CUFF_RUN'}


def detached(work):
    """Works in a process that was forked twice, in a session of its own; comes back when it has ended."""
    read, written = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        if os.fork() == 0:
            os.close(read)
            try:
                # Its parent is gone by then.
                time.sleep(0.3)
                work()
            finally:
                sys.stdout.flush()
                os._exit(0)
        os._exit(0)
    os.close(written)
    os.waitpid(child, 0)
    os.read(read, 1)


class Server:
    """A `cuff serve` of the attack's own."""

    def __init__(self, environment):
        self.process = subprocess.Popen([CUFF, 'serve'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self.asked = 0

    def say(self, message):
        self.process.stdin.write(json.dumps({'jsonrpc': '2.0', **message}).encode() + b'\n')
        self.process.stdin.flush()

    def ask(self, method, params):
        """The result; a question is answered with yes."""
        self.asked += 1
        own = f'own-{self.asked}'
        self.say({'id': own, 'method': method, 'params': params})
        while True:
            heard = json.loads(self.process.stdout.readline())
            if heard.get('method') == 'elicitation/create':
                print('asked')
                self.say({'id': heard['id'], 'result': YES})
            elif heard.get('id') == own:
                return heard.get('result', heard)

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def tell(result):
    """Prints what came of a call."""
    shape = result.get('structuredContent', result)
    print('result', shape.get('success'), shape.get('error_code'))


def answer_itself(environment):
    """Both eras of the protocol: a question within the session, and one in the answer to the call."""
    server = Server(environment)
    capabilities = {'elicitation': {}}
    server.ask('initialize', {'protocolVersion': '2025-11-25', 'capabilities': capabilities,
                              'clientInfo': {'name': 't', 'version': '1'}})
    server.say({'method': 'notifications/initialized'})
    tell(server.ask('tools/call', {'name': MARK, 'arguments': {}}))
    server.end()
    server = Server(environment)
    tell(ask_back(lambda params: server.ask('tools/call', params)))
    server.end()


def ask_back(call):
    """Calls, and brings a yes back where the answer is a question."""
    params = {'name': MARK, 'arguments': {}, '_meta': NEWEST}
    result = call(params)
    if result.get('resultType') == 'input_required':
        print('asked')
        answers = {'confirm': YES}
        result = call({**params, 'requestState': result['requestState'], 'inputResponses': answers})
    return result


def over_http():
    """Reads the token of a server as its own user can, and calls."""
    [file] = glob.glob(os.environ['XDG_RUNTIME_DIR'] + '/cuff/serve-*.token')
    port = file.rsplit('-', 1)[1].split('.')[0]
    token = open(file).read().strip()

    def call(params):
        body = json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': 'tools/call', 'params': params}).encode()
        headers = {'authorization': 'Bearer ' + token, 'content-type': 'application/json',
                   'accept': 'application/json, text/event-stream', 'mcp-protocol-version': '2026-07-28',
                   'mcp-method': 'tools/call', 'mcp-name': params['name']}
        request = urllib.request.Request(f'http://127.0.0.1:{port}/mcp', body, headers)
        try:
            text = urllib.request.urlopen(request).read().decode()
        except urllib.error.HTTPError as error:
            print('http', error.code, error.read().decode())
            return {}
        lines = [line[5:] for line in text.splitlines() if line.startswith('data:')] or [text]
        return [json.loads(line) for line in lines if line.strip()][-1].get('result', {})

    tell(ask_back(call))


def hide():
    """Lets nobody of this user see the descriptors and the environment of this process."""
    PR_SET_DUMPABLE = 4
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def above():
    """The processes above this one: their ids and command lines, the nearest first."""
    pid = os.getppid()
    while pid > 1:
        words = open(f'/proc/{pid}/cmdline', 'rb').read().split(b'\0')
        yield pid, [word.decode() for word in words if word]
        pid = int(open(f'/proc/{pid}/stat').read().rsplit(')', 1)[1].split()[1])
