/** Version of the receivers' compiler range, and of the kit's. */
const LOWEST = "^0.8.24";
const TRANSIENT = "^0.8.28";

const source = (pragma: string, text: string): string => `
// SPDX-License-Identifier: MIT
pragma solidity ${pragma};
${text}`;

/** Contracts of a project outside the repository: a receiver, and one with a policy and no check of its own. */
const contracts = source(
  LOWEST,
  `
import {DepositPolicies} from "waybill/contracts/receiver/DepositPolicies.sol";
import {PinnedReceiver} from "waybill/contracts/receiver/PinnedReceiver.sol";
import {RecipientAllowListMapping} from "waybill/contracts/receiver/policies/RecipientAllowListMapping.sol";
import {TwoStepOwner} from "waybill/contracts/receiver/policies/TwoStepOwner.sol";

contract Till is PinnedReceiver {
    constructor(address solver) PinnedReceiver(solver, solver, Binding.Receiver, solver) {}
}

contract Shop is PinnedReceiver, RecipientAllowListMapping {
    constructor(address solver) PinnedReceiver(solver, solver, Binding.Receiver, solver) TwoStepOwner(msg.sender) {}

    function _authorizeRecipient(uint256 chain, bytes32 account)
        internal
        override(DepositPolicies, RecipientAllowListMapping)
        returns (bytes32)
    {
        return super._authorizeRecipient(chain, account);
    }
}`,
);

/** Without the kit, whose compiler is newer. Importing the managed and the order receiver compiles them. */
const receiversTest = source(
  LOWEST,
  `
import {IRecipientAllowListMapping} from
    "waybill/contracts/interfaces/receiver/policies/IRecipientAllowListMapping.sol";
import {ManagedReceiver} from "waybill/contracts/receiver/ManagedReceiver.sol";
import {OrderReceiver} from "waybill/contracts/receiver/OrderReceiver.sol";
import {SignatureRecord} from "waybill/contracts/records/SignatureRecord.sol";
import {Shop, Till} from "../src/Shop.sol";

interface Vm {
    function addr(uint256 key) external pure returns (address);
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
}

contract ReceiversTest {
    using SignatureRecord for SignatureRecord.Record;
    using SignatureRecord for address;

    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    uint256 private constant KEY = 7;

    function test_TakesASignedPaymentOnce() external {
        address solver = vm.addr(KEY);
        Till till = new Till(solver);
        (bytes32 id, bytes32 recipient, bytes memory signature) = sign(address(till));
        till.deposit{value: 1 ether}(id, 10, recipient, signature);
        require(solver.balance == 1 ether, "the solver is not paid");
        try till.deposit{value: 1 ether}(id, 10, recipient, signature) {
            revert("the second payment is accepted");
        } catch {}
        require(solver.balance == 1 ether, "the solver is paid twice");
    }

    function test_RevertWhen_TheRecipientIsNotListed() external {
        address solver = vm.addr(KEY);
        Shop shop = new Shop(solver);
        (bytes32 id, bytes32 recipient, bytes memory signature) = sign(address(shop));
        try shop.deposit{value: 1 ether}(id, 10, recipient, signature) {
            revert("the payment is accepted");
        } catch (bytes memory reason) {
            require(bytes4(reason) == IRecipientAllowListMapping.RecipientNotAllowed.selector, "another error");
        }
        require(solver.balance == 0, "the solver is paid");
    }

    function sign(address receiver)
        private
        view
        returns (bytes32 requestId, bytes32 recipient, bytes memory signature)
    {
        requestId = keccak256("request");
        recipient = address(this).word();
        SignatureRecord.Record memory record = SignatureRecord.Record({
            requestId: requestId,
            originChainId: block.chainid,
            originUser: receiver.word(),
            originCurrency: address(0).word(),
            originAmount: 1 ether,
            destinationChainId: 10,
            destinationUser: recipient
        });
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, record.digest());
        signature = abi.encodePacked(r, s, v);
    }
}`,
);

const kitTest = source(
  TRANSIENT,
  `
import {IRecipientAllowListMapping} from
    "waybill/contracts/interfaces/receiver/policies/IRecipientAllowListMapping.sol";
import {SignatureRecord} from "waybill/contracts/records/SignatureRecord.sol";
import {LocalToken} from "waybill/contracts/service/currencies/LocalToken.sol";
import {WaybillTest} from "waybill/contracts/testing/WaybillTest.sol";
import {Shop, Till} from "../src/Shop.sol";

contract KitTest is WaybillTest {
    function test_AQuotedPaymentIsTakenAndFilled() external {
        Till till = new Till(_solver());
        LocalToken token = _deployToken("USDC", 6);
        token.mint(address(this), 5);
        token.mint(_solver(), 4);
        token.approve(address(till), 5);
        pay(address(till), token);
        require(token.balanceOf(_solver()) == 9, "the solver is not paid");
        _fill(keccak256("request"), address(token), 4, address(0xA11CE));
        require(token.balanceOf(address(0xA11CE)) == 4, "the recipient is not paid");
    }

    function test_RevertWhen_TheRecipientIsNotListed() external {
        Shop shop = new Shop(_solver());
        LocalToken token = _deployToken("USDC", 6);
        try this.pay(address(shop), token) {
            revert("the payment is accepted");
        } catch (bytes memory reason) {
            require(bytes4(reason) == IRecipientAllowListMapping.RecipientNotAllowed.selector, "another error");
        }
    }

    function pay(address receiver, LocalToken token) public {
        (SignatureRecord.Record memory record, bytes memory signature) =
            _quoteRecord(receiver, address(token), 5, 10, address(0xA11CE));
        Till(payable(receiver)).depositErc20(
            address(token), 5, record.requestId, 10, record.destinationUser, signature
        );
    }
}`,
);

const proxyTest = source(
  TRANSIENT,
  `
import {BalanceExecutor} from "waybill/contracts/proxy/BalanceExecutor.sol";
import {BalanceProxy} from "waybill/contracts/proxy/BalanceProxy.sol";

contract ProxyTest {
    function test_DeploysItsExecutor() external {
        BalanceProxy proxy = new BalanceProxy();
        require(BalanceExecutor(payable(proxy.executor())).proxy() == address(proxy), "another proxy");
    }
}`,
);

/** Sources of a Foundry project: two tests of receivers, two by the kit, one of the proxy. */
export const foundryProject: Readonly<Record<string, string>> = {
  "src/Shop.sol": contracts,
  "test/Kit.t.sol": kitTest,
  "test/Proxy.t.sol": proxyTest,
  "test/Receivers.t.sol": receiversTest,
};

/** Folder of each package, by how a project installs it; remappings are those of `docs/start/foundry.md`. */
export const foundryLayouts: Readonly<Record<"forge install" | "soldeer", Readonly<Record<string, string>>>> =
  {
    "forge install": {
      "@openzeppelin/contracts": "lib/openzeppelin-contracts/contracts",
      solady: "lib/solady",
      waybill: "lib/waybill",
    },
    soldeer: {
      "@openzeppelin/contracts": "dependencies/@openzeppelin-contracts-5.7.0",
      solady: "dependencies/solady-0.1.26",
      waybill: "dependencies/waybill-0.1.0",
    },
  };
