self.postMessage("");
